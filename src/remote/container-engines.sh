# Part of the scripts that ask container engines: which there are, and how long they are waited for.
# shellcheck disable=SC2034 # for those who include it

limit='' # a daemon that hangs must not hold us
if command -v timeout >/dev/null 2>&1; then limit='timeout 20'; timeout 1 true 2>/dev/null || limit='timeout -t 20'; fi

# The engines on the PATH, one that is `wanted` alone: docker before podman.
engines() { # WANTED|-
  for one in docker podman; do
    case $1 in - | "$one") command -v "$one" >/dev/null 2>&1 && printf '%s\n' "$one" ;; esac
  done
}
