/** One physical line of a log file, without its `\n` and without ANSI sequences. */
export interface LogLine {
  /** Counted from 1 by `\n` in the file that it stands in. */
  readonly number: number;
  /** May hold several `\r` frames (progress bars); a trailing `\r` of a CRLF is removed. */
  readonly text: string;
  /** When it was written (ms since the epoch by the host's clock), where whoever keeps the log has noted it. */
  readonly writtenAt?: number;
}
