/**
 * Counts the values in a JSON value. Each object, array, string, number, boolean and null is one value; keys do not count. Fields that are
 * undefined do not count. Stops when the count exceeds `most`, and then returns `most + 1`.
 */
export function countValues(value: unknown, most: number = Number.MAX_SAFE_INTEGER): number {
  return most - valuesLeft(value, most);
}

/** Returns `most` minus the number of values in `value`, or -1 if `value` contains more than `most` values. */
function valuesLeft(value: unknown, most: number): number {
  let left = most - 1;
  if (typeof value !== 'object' || value === null) return left;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left >= 0; at += 1) left = valuesLeft(value[at], left);
    return left;
  }
  for (const key of Object.keys(value)) {
    if (left < 0) break;
    const field = (value as Readonly<Record<string, unknown>>)[key];
    if (field !== undefined) left = valuesLeft(field, left);
  }
  return left;
}
