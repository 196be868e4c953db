# Part of process.sh and process-of-container.sh: the hello line, with what makes a time of a process's ticks.
hz=$(getconf CLK_TCK 2>/dev/null) || hz=100
hello "$1" "hz=$hz" "$(grep -h '^btime ' /proc/stat 2>/dev/null | tr ' ' =)"
