# Part of preflight.sh: the engine's Python package, and whether the class of the model has the method that it needs.
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
class_of_target() { # its first architecture, in $class
  from "$target" "$cwd"
  class=$($bounded cat "$path/config.json" 2>/dev/null | tr -d '\n' |
    sed -n 's/.*"architectures"[[:space:]]*:[[:space:]]*\[[[:space:]]*"\([A-Za-z0-9_]*\)".*/\1/p')
}
# Where the package lies: beside the Python that the command is run by, else beside the command.
see_package() {
  find_command
  [ -n "$found" ] || return 0
  from "$found" "$cwd"
  first=$(head -c 400 "$path" 2>/dev/null | tr '\0' ' ' | head -n 2)
  python=''
  case $first in
    '#!/bin/sh'*"exec' "*) python=${first#*"exec' "} python=${python#\"} python=${python%%[\" ]*} ;;
    '#!'*env\ *) python=${first#*env } python=$(PATH=$login_path command -v "${python%%[!A-Za-z0-9._-]*}") ;;
    '#!'*) python=${first#'#!'} python=${python%%[!A-Za-z0-9._/+@-]*} ;;
  esac
  for place in "${python%/*/*}" "${path%/*/*}" /usr/local /usr "$HOME/.local"; do
    [ -n "$place" ] || continue
    for site in "$place"/lib/python3*/site-packages "$place"/lib/python3*/dist-packages "$place"/lib/python3/dist-packages "$place"/lib64/python3*/site-packages; do
      for info in "$site/$package"-[0-9]*.dist-info; do
        [ -d "$info" ] || continue
        version=${info##*/"$package"-}
        put package "$package" "${version%.dist-info}" "$site"
        see_hook
        return 0
      done
    done
  done
}
see_hook() {
  [ -n "$method" ] && [ -n "$target" ] || return 0
  class_of_target
  [ -n "$class" ] || return 0
  folder=$site/$package/$models_folder
  if [ ! -d "$folder" ]; then
    # Installed with `pip install -e`.
    source=$(sed -n 's/.*"url": *"file:\/\/\([^"]*\)".*/\1/p' "$info/direct_url.json" 2>/dev/null)
    folder=$source/$package/$models_folder
  fi
  [ -d "$folder" ] || return 0
  verdict=lacks todo=$class seen=' '
  while [ -n "$todo" ]; do
    one=${todo%% *} todo=${todo#"$one"} todo=${todo# }
    [ -n "$one" ] || continue
    case $seen in *" $one "*) continue ;; esac
    seen="$seen$one "
    case $one in nn.Module | torch.nn.Module | Module | object | ABC | Protocol) continue ;; esac
    file=$(grep -lE "^class ${one}[(:]" "$folder"/*.py 2>/dev/null | head -n 1)
    if [ -z "$file" ]; then
      verdict=unknown
      continue
    fi
    answer=$(awk -v class="$one" -v method="$method" '
      !inside && $0 ~ "^class " class "[(:]" { inside = head = 1; text = "" }
      head {
        sub(/#.*/, "")
        text = text " " $0
        if (text !~ /:[ \t]*$/) next
        head = 0
        if (sub(/^[^(]*\(/, "", text)) { sub(/\)[ \t]*:[ \t]*$/, "", text); gsub(/\[[^]]*\]/, "", text); gsub(/[, \t]+/, " ", text); bases = text }
        next
      }
      inside && /^[^ \t#)]/ { exit }
      inside && $0 ~ "^[ \t]+(async +)?def +" method "[ \t]*\\(" { has = 1 }
      inside && $0 ~ "^[ \t]+" method "[ \t]*=" { has = 1 }
      inside && /^[ \t]+def +__getattr__/ { dynamic = 1 }
      END { print has ? "has" : dynamic ? "unknown" : "bases " bases }' "$file")
    case $answer in
      has) verdict=has && break ;;
      unknown) verdict=unknown ;;
      bases*)
        bases=${answer#bases}
        case $bases in *=*) verdict=unknown ;; esac
        todo="$todo${bases% }" todo=${todo# }
        ;;
    esac
  done
  put hook "$class" "$method" $verdict "$folder"
}
