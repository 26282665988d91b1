/** The nesting that every function over objects carries without running out of stack; no schema comes near it. */
const mostLevels = 1000;

/** A number in JSON. */
const numberText = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Whether a value is nested too deeply to be looked at. */
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

/** The first number of a JSON text that a double cannot hold, such as `1e400`, as it is in the text; undefined when there is none. */
export function hugeNumber(json: string): string | undefined {
  // Fewer digits, and a smaller exponent, cannot be that large.
  if (!/\d{300}|[eE]\+?\d{3}/.test(json)) return undefined;
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charAt(at);
    if (char === '"') at = stringEnd(json, at);
    else if (char === '-' || (char >= '0' && char <= '9')) {
      numberText.lastIndex = at;
      const [found = char] = numberText.exec(json) ?? [];
      if (!Number.isFinite(Number(found)) && found !== '-') return found;
      at += found.length - 1;
    }
  }
  return undefined;
}

/** Where the string that begins at `start` ends. */
function stringEnd(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json.charAt(at) !== '"') at += json.charAt(at) === '\\' ? 2 : 1;
  return at;
}
