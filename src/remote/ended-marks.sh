# Part of process.sh and kill.sh: where it is recorded which processes a kill or relaunch has signalled, for every firedup
# that looks later: `PID:TICKS` a line, in a file for each boot. Needs $boot of the caller.
# shellcheck disable=SC2154 # that
marks() {
  case ${XDG_STATE_HOME-} in
    /*) printf '%s\n' "$XDG_STATE_HOME/firedup/.ended.$boot" ;;
    *) printf '%s\n' "$HOME/.local/state/firedup/.ended.$boot" ;;
  esac
}
