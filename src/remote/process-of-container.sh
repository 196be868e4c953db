# Says what becomes of the process of a container, for as long as it is listened to.
#
#   process-of-container.sh NONCE BEFORE ENGINE CONTAINER
#
# BEFORE is `BOOT PID START FOUND_BY ID STARTED` of the process and its container that an earlier run has seen, or empty.
#
# stdout as of process.sh, and before a fact, where it is new:
#   c ENGINE ID STARTED RESTARTS HEX        what the fact is about, and the engine's error
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
. ./alive.sh
. ./hello-ticks.sh
. ./find.sh
. ./container.sh
before=$2 engine=$3 container=$4
. ./container-process.sh
. ./process-loop.sh
