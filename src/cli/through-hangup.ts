/** Does `work` to its end, though the terminal be closed meanwhile (SIGHUP): for what must not be lost then. */
export async function throughHangup<T>(work: () => Promise<T>): Promise<T> {
  const stay = (): void => {};
  process.on('SIGHUP', stay);
  try {
    return await work();
  } finally {
    process.off('SIGHUP', stay);
  }
}
