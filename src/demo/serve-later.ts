/**
 * The wrapper of the `late-log` scenario, `serve-later LOG COMMAND…`: it waits until the watch has begun (a file
 * says so, see `DemoWorld.watchBegan`), then three and a half seconds more by the clock, whatever the demo's speed,
 * and only then starts the command with LOG as its output. It does not wait longer than 30 s for a watch.
 */
export const serveLaterScript = `#!/bin/sh
# Part of a firedup demo: starts a server whose log file comes late.
log=$1
shift
began=$(dirname "$0")/../watch-began
tries=0
while [ ! -e "$began" ] && [ $tries -lt 150 ]; do
  sleep 0.2
  tries=$((tries + 1))
done
sleep 3.5
mkdir -p "$(dirname "$log")" && exec "$@" >>"$log" 2>&1
`;
