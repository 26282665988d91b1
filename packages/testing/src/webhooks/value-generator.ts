import type { StructuralSchema } from '@kubewright/api/schema';

/** Example values of each string format. */
export const FORMAT_TEXTS: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2030-01-02T03:04:05Z', '2031-12-31T23:59:59Z'],
  date: ['2030-01-02', '2031-12-31'],
  duration: ['1h30m', '45s'],
  uuid: ['0f0e0d0c-0b0a-4908-8706-050403020100', 'a3bb189e-8bf9-4888-9912-ace4e6543002'],
  email: ['a@example.com', 'b@example.com'],
  hostname: ['a.example.com', 'b.example.com'],
  uri: ['https://example.com/a', 'https://example.com/b'],
  ipv4: ['10.0.0.1', '192.168.1.2'],
  ipv6: ['fd00::1', 'fd00::2'],
  cidr: ['10.0.0.0/8', '192.168.0.0/16'],
  mac: ['00:00:5e:00:53:01', '00:00:5e:00:53:02'],
  byte: ['YQ==', 'Yg=='],
};
const COMMON = [
  'a',
  'b',
  'web',
  'db-1',
  'A',
  'Zone',
  'x.y',
  '1',
  '42',
  '10Gi',
  '500m',
  '8080',
  '0 * * * *',
  '@daily',
  'ä',
  '',
];
const DEEPEST = 8;

/** Generates values of a schema from random numbers in [0, 1). */
export class ValueGenerator {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Returns a value that follows the types and limits of a schema. Ignores CEL rules. The value matches most patterns only by chance. */
  valueOf(schema: StructuralSchema, depth = 0): unknown {
    if (schema.nullable === true && this.#chance(0.1)) return null;
    if (schema.enum !== undefined) return this.#oneOf(schema.enum);
    if (schema['x-kubernetes-int-or-string'] === true)
      return this.#chance(0.5) ? this.#integer(schema) : this.#text(schema);
    switch (schema.type) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        return this.#list(schema, depth);
      case 'integer':
        return this.#integer(schema);
      case 'number':
        return this.#chance(0.5) ? this.#integer(schema) : this.#number(schema);
      case 'boolean':
        return this.#chance(0.5);
      case 'string':
        return this.#text(schema);
      default:
        return this.#anything();
    }
  }

  #object(schema: StructuralSchema, depth: number): Record<string, unknown> {
    const { properties = {}, required = [], additionalProperties } = schema;
    const given = Object.entries(properties).filter(
      ([name]) => required.includes(name) || (depth < DEEPEST && this.#chance(0.6)),
    );
    const value = Object.fromEntries(given.map(([name, field]) => [name, this.valueOf(field, depth + 1)]));
    const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
    if (others !== undefined) {
      for (const key of this.#some(['a', 'b/c', 'd.e', 'f~g'], schema.minProperties))
        value[key] = this.valueOf(others, depth + 1);
    }
    if (schema['x-kubernetes-preserve-unknown-fields'] === true && this.#chance(0.5))
      value['unknown'] = this.#anything();
    return value;
  }
  #list({ items = {}, minItems = 0, maxItems = 4, ...schema }: StructuralSchema, depth: number): readonly unknown[] {
    const most = depth < DEEPEST ? Math.min(maxItems, minItems + 3) : minItems;
    const length = minItems + Math.floor(this.#random() * (most - minItems + 1));
    const list = Array.from({ length }, () => this.valueOf(items, depth + 1));
    const keys = schema['x-kubernetes-list-map-keys'];
    const isUnique = schema['x-kubernetes-list-type'] === 'set' || keys !== undefined || schema.uniqueItems === true;
    return isUnique ? unique(list, keys) : list;
  }
  #integer(schema: StructuralSchema): number {
    const { format, multipleOf = 1 } = schema;
    const { least, most } = limitsOf(schema, format === 'int32' ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER);
    const candidates = [least, most, 0, 1, 2, 10, Math.floor(this.#random() * 1000)];
    const fitting = candidates
      .map((each) => Math.round(each / multipleOf) * multipleOf)
      .filter((each) => each >= least && each <= most);
    return this.#oneOf(fitting.length === 0 ? [Math.ceil(least)] : fitting);
  }
  #number(schema: StructuralSchema): number {
    const { least, most } = limitsOf(schema, 1000);
    return least + this.#random() * (most - least);
  }
  #text({ format, minLength = 0, maxLength = 253 }: StructuralSchema): string {
    const known = format === undefined ? undefined : FORMAT_TEXTS[format];
    if (known !== undefined) return this.#oneOf(known);
    const text = this.#oneOf(COMMON);
    return text.length < minLength ? text.padEnd(minLength, 'x') : text.slice(0, maxLength);
  }
  #anything(): unknown {
    return this.#oneOf<unknown>(['a', 1, true, { a: 1 }, [1, 'b']]);
  }
  #some<T>(items: readonly T[], least = 0): readonly T[] {
    return items.filter((_, at) => at < least || this.#chance(0.4));
  }
  #oneOf<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)] as T;
  }
  #chance(probability: number): boolean {
    return this.#random() < probability;
  }
}

function limitsOf(schema: StructuralSchema, largest: number): { readonly least: number; readonly most: number } {
  const { minimum = -largest, maximum = largest, exclusiveMinimum = false, exclusiveMaximum = false } = schema;
  return { least: exclusiveMinimum ? minimum + 1 : minimum, most: exclusiveMaximum ? maximum - 1 : maximum };
}
function unique(items: readonly unknown[], keys: readonly string[] | undefined): readonly unknown[] {
  const identity = (item: unknown): string =>
    JSON.stringify(keys === undefined ? item : keys.map((key) => (item as Readonly<Record<string, unknown>>)[key]));
  return [...new Map(items.map((item) => [identity(item), item])).values()];
}
