/** Which server on the host is meant, from the command line. */
export interface ServerOptions {
  readonly name?: string;
  readonly log?: string;
  readonly pid?: number;
  readonly port?: number;
  /** Goes before all of them. */
  readonly container?: string;
  /** Where nothing was launched under `name`, the server that writes `log` is meant. */
  readonly orAttached?: boolean;
}
