/**
 * The maximum nesting of a value. All functions that process objects support this nesting without a stack overflow. The nesting of each
 * schema is far below this limit.
 */
export const mostLevels = 1000;

/** Returns whether a value is nested too deeply to process. */
export function isTooDeep(value: unknown): boolean {
  return isDeeper(value, mostLevels - 1);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value))
    return value.length > 0 && (levels === 0 || value.some((item) => isDeeper(item, levels - 1)));
  const object = value as Readonly<Record<string, unknown>>;
  for (const key in object) if (levels === 0 || isDeeper(object[key], levels - 1)) return true;
  return false;
}
