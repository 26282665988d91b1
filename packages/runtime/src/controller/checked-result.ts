import { KubewrightError } from '@kubewright/api/errors';
import { Result } from './result.js';

/** What the author's code returned. Throws NO_RESULT, saying what it was of and what to return, where that is no `Result`. */
export function checkedResult(value: unknown, returnedBy: string): Result {
  if (value instanceof Result) return value;
  throw new KubewrightError(
    'NO_RESULT',
    `${returnedBy} returned ${describeValue(value)}: return Result.done(), or when to come again`,
  );
}

function describeValue(value: unknown): string {
  return value === undefined ? 'nothing' : typeof value === 'object' ? 'an object that is no Result' : String(value);
}
