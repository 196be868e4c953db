# Finds the server's process, then says what becomes of it, for as long as it is listened to.
#
#   process.sh NONCE PID LOG PORT BEFORE
#
# Each may be empty; the first that is given decides: PID, who writes LOG, who listens on PORT. BEFORE is `BOOT PID START FOUND_BY [DOUBT]` of the process that an earlier run has seen alive.
#
# stdout, after the hello line (hz=, btime=), a line or block whenever something has changed:
#   A PID START FOUND_BY AGE USER (AGE in ticks), then its tree: M PID PARENT START each, C PID COMMAND before it where
#   … that is new; end
#   … D fork|silent|orphan|stranger|elsewhere, after A: it may not be the server, see `ProcessDoubt`
#   G PID [CODE EPOCH oom:BEFORE:AFTER]     it is gone, and how it ended where that is recorded
#   K                                       before G: a kill or relaunch has ended it
#   N [WORDS]                               nobody: every process that could be it was looked at; or why PID is none
#   U WORDS                                 it cannot be told, and why
#   W HEX                                   the process writes to this file, where there is no LOG
#   E HEX                                   LOG is there and empty: this file is written instead; LOG itself after that.
#                                           In the folder of a launch it is noted as `writes-to`
#   k NAME                                  it runs in this container, and was found otherwise
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
. ./process-end.sh
wanted=$2 log=$3 port=$4 folder='' before=$5
. ./attached-process.sh
. ./process-loop.sh
