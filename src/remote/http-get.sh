# One GET of http://127.0.0.1:PORT/PATH from the host itself, where sshd forbids forwarding.
#
#   http-get.sh NONCE PORT PATH
#
# stdout: `H STATUS`, `H refused`, `H timeout` or `H failed WORDS`. Nothing of the body is kept.
. ./alive.sh
hello "$1"
url=http://127.0.0.1:$2$3

if command -v curl >/dev/null 2>&1; then
  code=$(curl -s -m 2 --noproxy '*' -o /dev/null -w '%{http_code}' "$url" 2>/dev/null </dev/null)
  status=$?
  # With a body that is too slow the status line is there all the same.
  case $status:$code in
    7:*) answer=refused ;;
    *:[1-5][0-9][0-9]) answer=$code ;;
    28:*) answer=timeout ;;
    *) answer="failed curl ended with status $status" ;;
  esac
elif command -v python3 >/dev/null 2>&1; then
  answer=$(python3 -c 'import http.client, socket, sys
c = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=2)
try: c.request("GET", sys.argv[2]); print(c.getresponse().status)
except ConnectionRefusedError: print("refused")
except socket.timeout: print("timeout")
except Exception as e: print("failed", type(e).__name__)' "$2" "$3" 2>/dev/null </dev/null)
elif command -v wget >/dev/null 2>&1; then
  # GNU's tries twenty times where nothing is said otherwise; busybox's only once, and does not mind the option.
  answer=$(http_proxy='' wget -t 1 -S -O /dev/null -T 2 "$url" 2>&1 </dev/null | head -c 4096)
  case $answer in
    *HTTP/1.[01]\ [1-5][0-9][0-9]*) answer=${answer#*HTTP/1.[01] } answer=$(printf '%.3s' "$answer") ;;
    *refused*) answer=refused ;;
    *'timed out'*) answer=timeout ;;
    *) answer='failed wget got no answer' ;;
  esac
else
  answer='failed there is neither curl nor python3 nor wget on the host'
fi
say 'H %s\n' "${answer:-failed no answer}"
