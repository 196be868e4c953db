# Part of preflight.sh: the models: where they lie, their config and their size.
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
places_by_login() { # takes over what the profile says of the caches; fails where that is nothing
  found=$(login_variables "$places" | grep -v '^token ') && [ -n "$found" ] || return 1
  while read -r name value; do export "$name=$value"; done <<END
$found
END
}

see_model() { # ROLE WORD
  role=$1
  from "$2" "$cwd"
  find_model "$2" "$path"
  # The profile may say that the cache is elsewhere.
  if [ "$kind" = hub ] && [ -n "$by_login" ] && places_by_login; then find_model "$2" "$path"; fi
  [ -z "$hub" ] || room hub-room "$hub"
  put model "$role" "$place" "$kind"
  case $kind in missing | hub) return ;; esac
  if [ "$kind" != 'file' ]; then
    [ -e "$place/config.json" ] && put config "$role" && put_file "config-$role" "$place/config.json"
    for other in "$place"/params.json "$place"/*.gguf; do [ -e "$other" ] && put no-config-needed "$role" && break; done
  fi
  # shellcheck disable=SC2046 # three numbers
  put weights "$role" $(weigh_model "$place" "$kind")
}
