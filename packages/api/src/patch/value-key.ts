/** Returns a key for a Map or Set. Two JSON values have the same key if they are equal according to `deepEqual`. */
export function valueKey(value: unknown): unknown {
  if (typeof value === 'string') return `s${value}`;
  return typeof value === 'object' && value !== null ? `o${textOf(value)}` : value;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const texts = fields.map(([name, field]) => `${JSON.stringify(name)}:${textOf(field)}`);
  return `{${texts.toSorted().join(',')}}`;
}
