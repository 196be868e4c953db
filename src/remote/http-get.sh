# One GET of http://ADDRESS:PORT/PATH, or of https where that is spoken there, from the host itself, where sshd forbids
# forwarding. No certificate is looked at: it is this host, and nothing but the status is believed.
#
#   http-get.sh NONCE PORT PATH ADDRESS
#
# stdout: `H STATUS [http|https]`, `H refused`, `H timeout` or `H failed WORDS`. Nothing of the body is kept.
. ./alive.sh
hello "$1"
address=$4
case $address in *:*) authority=[$address]:$2 ;; *) authority=$address:$2 ;; esac

if command -v curl >/dev/null 2>&1; then
  for scheme in http https; do
    code=$(curl -g -s -k -m 2 --noproxy '*' -o /dev/null -w '%{http_code}' "$scheme://$authority$3" 2>/dev/null </dev/null)
    status=$?
    # Closed without an answer, or answered by what is no HTTP.
    case $status:$code in 52:* | 56:000 | 1:*) ;; *) break ;; esac
  done
  # With a body that is too slow the status line is there all the same.
  case $status:$code in
    7:*) answer=refused ;;
    *:[1-5][0-9][0-9]) answer="$code $scheme" ;;
    28:*) answer=timeout ;;
    *) answer="failed curl ended with status $status" ;;
  esac
elif command -v python3 >/dev/null 2>&1; then
  # Nothing here may hang on how far a line is set in: the lines are sent without that.
  answer=$(python3 -c 'import http.client as h, socket, sys
def ask(kind, **how): c = kind(sys.argv[3], int(sys.argv[1]), timeout=2, **how); c.request("GET", sys.argv[2]); return c.getresponse().status
def secure(): import ssl; return ask(h.HTTPSConnection, context=ssl._create_unverified_context())
answer = None
try: answer = ask(h.HTTPConnection)
except (h.HTTPException, ConnectionResetError): pass
except ConnectionRefusedError: answer = "refused"
except socket.timeout: answer = "timeout"
except Exception as e: answer = "failed " + type(e).__name__
try: print(answer or str(secure()) + " https")
except Exception as e: print("failed", type(e).__name__)' "$2" "$3" "$address" 2>/dev/null </dev/null)
elif command -v wget >/dev/null 2>&1; then
  # GNU's tries twenty times where nothing is said otherwise; busybox's only once, and does not mind the option.
  for scheme in http https; do
    secure=''
    [ $scheme = https ] && secure=--no-check-certificate
    answer=$(http_proxy='' https_proxy='' wget $secure -t 1 -S -O /dev/null -T 2 "$scheme://$authority$3" 2>&1 </dev/null | head -c 4096)
    case $answer in
      *HTTP/1.[01]\ [1-5][0-9][0-9]*) answer=${answer#*HTTP/1.[01] } answer="$(printf '%.3s' "$answer") $scheme" && break ;;
      *refused*) answer=refused && break ;;
      *'timed out'*) answer=timeout && break ;;
      *) answer='failed wget got no answer' ;;
    esac
  done
else
  answer='failed there is neither curl nor python3 nor wget on the host'
fi
say 'H %s\n' "${answer:-failed no answer}"
