let will: (() => Promise<void>) | null = null;
let isLeaving = false;

/** What is to be done before this process leaves because nobody reads its output any more. */
export function setLastWill(last: () => Promise<void>): void {
  will = last;
}

/** Leaves with `exitCode` once the last will is done. Every further write fails too: the first call counts. */
export function leave(exitCode: number): void {
  if (isLeaving) return;
  isLeaving = true;
  const exit = (): never => process.exit(exitCode);
  if (will === null) exit();
  else will().then(exit, exit);
}
