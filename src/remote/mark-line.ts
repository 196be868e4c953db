/**
 * First line of a line for `bash -lc`: the mark of the launch is set only after the profile has run. What that starts for
 * all shells of the user (an ssh-agent, a keychain) is not the server's and must not carry its mark. A line of its own, so
 * that bash still becomes the last command of a simple line.
 */
export const markLine = `export FIREDUP_ATTEMPT="\${FIREDUP_LAUNCH-$FIREDUP_ATTEMPT}"; unset FIREDUP_LAUNCH\n`;

/** A command line as it was launched, without that first line. */
export const withoutMarkLine = (text: string): string =>
  // As a title for people its line end may have become a blank.
  text.replace(markLine, '').replace(`${markLine.trimEnd()} `, '');
