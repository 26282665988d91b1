import { inspect } from 'node:util';

/** Returns the TypeScript literal of a JSON value, on one line. */
export function literal(value: unknown): string {
  return inspect(value, {
    depth: null,
    maxArrayLength: null,
    maxStringLength: null,
    breakLength: Number.POSITIVE_INFINITY,
    compact: true,
  });
}
