import { KubewrightError } from '../errors/kubewright-error.js';

/**
 * Returns a deep copy made of plain objects and arrays only, as a JSON round trip does: omits undefined fields and converts class instances
 * to plain objects. Finite numbers, big integers, strings, booleans and null are unchanged.
 * @throws KubewrightError NOT_JSON with the path of a value that has no JSON form
 */
export function plainCopy(value: unknown, path: string): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint')
    return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((item, index) => plainCopy(item, `${path}[${index}]`));
  if (typeof value !== 'object' || value instanceof Date || value instanceof Map || value instanceof Set) {
    throw new KubewrightError(
      'NOT_JSON',
      `cannot write ${path}: ${describe(value)} has no JSON form; ${remedyOf(value)}`,
    );
  }
  const copy: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value)) {
    if (each !== undefined) copy[name] = plainCopy(each, `${path}.${name}`);
  }
  return copy;
}

function describe(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'object' ? `a ${value?.constructor.name}` : `a value of type ${typeof value}`;
}

function remedyOf(value: unknown): string {
  if (value instanceof Date) return 'use date.toISOString()';
  if (value instanceof Map) return 'use Object.fromEntries(map)';
  if (value instanceof Set) return 'use an array';
  return 'omit it, or use a string, number, boolean, list or object';
}
