/** The nesting that every function over objects carries without running out of stack; no schema comes near it. */
const mostLevels = 1000;

/** Whether a value is nested too deeply to be looked at. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth < mostLevels; depth++) {
    level = level.flatMap((parent) => (typeof parent === 'object' && parent !== null ? Object.values(parent) : []));
    if (level.length === 0) return false;
  }
  return true;
}
