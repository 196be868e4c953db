# home.sh: a mark, then the home folder. What an rc file printed before the mark is not it.
printf '\n#firedup-home\n%s\n' "$HOME"
