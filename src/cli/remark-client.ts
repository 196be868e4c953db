import type { Reading } from '../triage/findings.js';
import { remark } from './remark.js';

/** Whose log it is where it is a client's: of the server that was asked nothing is known. */
export function remarkClient(reading: Reading): void {
  const { client } = reading.findings();
  if (client !== null)
    remark(`This is the log of ${client}, which asks a server and is none: nothing is known of the server.`);
}
