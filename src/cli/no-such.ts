import { type FiredupError, usageError } from '../errors.js';
import { nearestName } from '../store/nearest-name.js';

/** A usage error for a name that is none of those there are, with the one that was probably meant. */
export function noSuch(
  kind: string,
  name: string,
  allowed: readonly string[],
  /** `where` follows the name; `otherwise` is added to the hint where no name is near. */
  {
    where = '',
    hint,
    otherwise = '',
  }: { readonly where?: string; readonly hint: string; readonly otherwise?: string },
): FiredupError {
  const near = nearestName(name, allowed);
  const meant = near === null ? '' : ` (did you mean ${near}?)`;
  return usageError(
    `There is no ${kind} ${name === '' ? '""' : name}${where}${meant}.`,
    `${hint}${near === null ? otherwise : ''}`,
  );
}
