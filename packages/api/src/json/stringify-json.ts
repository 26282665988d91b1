import { InvalidJsonError } from './invalid-json-error.js';

/** Options of `stringifyJson`. */
export interface StringifyJsonOptions {
  /** The number of spaces per indentation level. 0 writes one line. @default 0 */
  readonly indent?: number;
}

/**
 * Serializes a value like `JSON.stringify`, and a `bigint` as its digits. Throws `InvalidJsonError` for a value that JSON cannot represent
 * (undefined, a function, a cycle).
 */
export function stringifyJson(value: unknown, { indent = 0 }: StringifyJsonOptions = {}): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value, undefined, indent) as string | undefined;
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    // The cause is a bigint or a cycle. `ExactWriter` writes a bigint and rejects a cycle.
    text = new ExactWriter(indent).write(value, '');
  }
  if (text === undefined) throw new InvalidJsonError(`a value of type ${typeof value} cannot be written as JSON`);
  return text;
}

class ExactWriter {
  readonly #indent: number;
  /** The ancestors of the current object. */
  readonly #above = new Set<object>();

  constructor(indent: number) {
    this.#indent = indent;
  }

  write(value: unknown, key: string): string | undefined {
    if (typeof value === 'bigint') return value.toString();
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    if (this.#above.has(value)) {
      throw new InvalidJsonError(`a value that contains itself cannot be written as JSON: at "${key}"`);
    }
    if ('toJSON' in value && typeof value.toJSON === 'function') return this.write(value.toJSON(key), key);
    this.#above.add(value);
    const text = Array.isArray(value) ? this.#array(value) : this.#object(value as Record<string, unknown>);
    this.#above.delete(value);
    return text;
  }

  #array(items: readonly unknown[]): string {
    return this.#within(
      '[',
      items.map((item, index) => this.write(item, String(index)) ?? 'null'),
      ']',
    );
  }

  #object(object: Record<string, unknown>): string {
    const colon = this.#indent === 0 ? ':' : ': ';
    const parts = Object.keys(object).flatMap((key) => {
      const text = this.write(object[key], key);
      return text === undefined ? [] : [`${JSON.stringify(key)}${colon}${text}`];
    });
    return this.#within('{', parts, '}');
  }

  #within(open: string, parts: readonly string[], close: string): string {
    if (this.#indent === 0 || parts.length === 0) return `${open}${parts.join(',')}${close}`;
    const line = (level: number): string => `\n${' '.repeat(this.#indent * level)}`;
    const level = this.#above.size;
    return `${open}${line(level)}${parts.join(`,${line(level)}`)}${line(level - 1)}${close}`;
  }
}
