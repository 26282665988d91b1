/**
 * Whether a path is a field at the root of an object, or a path within this field. `metadata.name` is within `metadata`; `metadataPolicy`
 * is not.
 */
export function isWithin(path: string, field: string): boolean {
  if (!path.startsWith(field)) return false;
  const next = path[field.length];
  return next === undefined || next === '.' || next === '[';
}
