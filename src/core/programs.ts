/** Whether a command line runs a shell: `bash -lc …`, `-zsh`, `/bin/sh run.sh`. */
export const isShell = (command: string): boolean => shells.has(programOf(command));

/** Whether it is a shell, or one of the small programs that a line of a shell has around a server: never one itself. */
export const isMereLine = (command: string): boolean =>
  shells.has(programOf(command)) || around.has(programOf(command));

/**
 * Whether the status of a shell's line may be another's than that of the server in it: of the end of a pipeline, or of
 * what comes after it.
 */
export const hidesStatus = (line: string): boolean =>
  /[|;\n]|(?<![&>])&(?![&>])/.test(line.replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, ''));

/** Its name without the folder, the dash of a login shell and the brackets of one without a command line. */
const programOf = (command: string): string =>
  /^[-[]?(?:\S*\/)?([^\s/\]]+)/.exec(command.trim())?.[1]?.toLowerCase() ?? '';

const shells: ReadonlySet<string> = new Set('sh bash dash ash zsh fish ksh mksh csh tcsh busybox'.split(' '));

const around: ReadonlySet<string> = new Set(
  'sleep tail tee cat ts grep egrep sed awk gawk mawk tr cut pv yes true read date logger rotatelogs multilog'.split(
    ' ',
  ),
);
