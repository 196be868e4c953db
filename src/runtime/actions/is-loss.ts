import { FiredupError } from '../../errors.js';

/** Whether it is the connection that went, rather than what ran over it. */
export const isLoss = (error: unknown): boolean =>
  error instanceof FiredupError && ['link-lost', 'host-closed', 'probe-ended'].includes(error.code);
