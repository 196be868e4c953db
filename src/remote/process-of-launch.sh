# Says what becomes of the process of a launch of ours, for as long as it is listened to.
#
#   process-of-launch.sh NONCE LOG FOLDER BEFORE
#
# LOG is that of the launch, FOLDER where it is recorded. BEFORE and stdout as of process.sh.
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
. ./alive.sh
. ./hello-ticks.sh
. ./find.sh
. ./owner.sh
. ./heir.sh
. ./output-file.sh
. ./ended-marks.sh
. ./container-engines.sh
. ./container-hint.sh
log=$2 folder=$3 before=$4
. ./process-end.sh
. ./launched-process.sh
. ./process-loop.sh
