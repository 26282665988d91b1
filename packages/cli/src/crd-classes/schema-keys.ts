import type { StructuralSchema } from '@kubewright/api/schema';
import { canonical } from './canonical.js';

/**
 * Computes texts that are equal for equal schemas, regardless of the order of their keys. In the text of a schema, numbers represent the
 * schemas of its fields, items, and values. Therefore, the texts of all schemas within a deep schema take linear time.
 */
export class SchemaKeys {
  readonly #numbers = new Map<string, number>();
  readonly #known = new WeakMap<StructuralSchema, number>();

  /** Returns the text of a schema. Texts of different instances are not comparable. */
  keyOf({ properties, items, additionalProperties, ...rest }: StructuralSchema): string {
    const entries = Object.entries(properties ?? {}).map(([name, each]) => [name, this.#numberOf(each)] as const);
    return canonical([
      rest,
      Object.fromEntries(entries),
      items && this.#numberOf(items),
      typeof additionalProperties === 'object' ? this.#numberOf(additionalProperties) : `${additionalProperties}`,
    ]);
  }

  #numberOf(schema: StructuralSchema): number {
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    const key = this.keyOf(schema);
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    this.#known.set(schema, number);
    return number;
  }
}
