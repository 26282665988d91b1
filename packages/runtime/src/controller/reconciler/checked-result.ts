import { KubewrightError, valueText } from '@kubewright/api/errors';
import { Result } from './result.js';

/**
 * Returns the value if it is a `Result`. Otherwise throws NO_RESULT. `returnedBy` names the function that returned the value, for the
 * message.
 */
export function checkedResult(value: unknown, returnedBy: string): Result {
  if (value instanceof Result) return value;
  throw new KubewrightError(
    'NO_RESULT',
    `${returnedBy} returned ${describeValue(value)}: return Result.done() or a result that requeues`,
  );
}

function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'object' && value !== null ? 'an object that is not a Result' : valueText(value);
}
