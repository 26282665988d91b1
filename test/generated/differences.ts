/** A difference between two JSON values at a path. */
export interface Difference {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the differences between two JSON values. Ignores the order of keys and the order of `required`. */
export function differences(before: unknown, after: unknown, path = ''): readonly Difference[] {
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
    return keys.flatMap((key) => differences(before[key], after[key], path === '' ? key : `${path}.${key}`));
  }
  const [left, right] = path.endsWith('.required') ? [sorted(before), sorted(after)] : [before, after];
  if (Array.isArray(left) && Array.isArray(right) && left.length === right.length) {
    return left.flatMap((item, index) => differences(item, right[index], `${path}[${index}]`));
  }
  return JSON.stringify(left) === JSON.stringify(right) ? [] : [{ path, before: left, after: right }];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(value: unknown): unknown {
  return Array.isArray(value) ? value.map(String).toSorted() : value;
}
