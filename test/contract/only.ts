/**
 * Returns a copy of a value with only the fields that the dotted paths select. '*' selects every item of an array and every key. Returns
 * the whole value if `paths` is undefined, and null if no path selects a field. A path cannot select a key that contains a dot.
 */
export function only(value: unknown, paths: readonly string[] | undefined): unknown {
  if (paths === undefined) return value;
  let kept: unknown;
  for (const path of paths) kept = merged(kept, part(value, path.split('.')));
  return kept === undefined ? null : kept;
}

function part(value: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if (first === '*') {
    if (Array.isArray(value)) return value.map((item) => part(item, rest) ?? null);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, part(item, rest)]));
  }
  const inner = part((value as Record<string, unknown>)[first], rest);
  if (inner === undefined) return undefined;
  return { [first]: inner };
}

function merged(a: unknown, b: unknown): unknown {
  if (a === undefined || b === undefined) return a === undefined ? b : a;
  if (Array.isArray(a) && Array.isArray(b)) return a.map((item, at) => merged(item, b[at]));
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a;
  const [left, permission] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = [...new Set([...Object.keys(left), ...Object.keys(permission)])];
  return Object.fromEntries(keys.map((key) => [key, merged(left[key], permission[key])]));
}
