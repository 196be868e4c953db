# Says what becomes of the process of a launch of ours, for as long as it is listened to.
#
#   process-of-launch.sh NONCE LOG FOLDER BEFORE
#
# LOG is that of the launch, FOLDER where it is recorded. BEFORE and stdout as of process.sh.
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
. ./process-end.sh
log=$2 folder=$3 before=$4
. ./launched-process.sh
. ./process-loop.sh
