import type { StructuralSchema } from '@kubewright/api/schema';
import { canonical } from './canonical.js';

/**
 * Serializes schemas so that equal schemas have equal texts, regardless of the order of keys. A number represents each nested schema in the
 * text. Therefore, serializing all schemas within a deep schema takes linear time.
 */
export class SchemaKeys {
  readonly #numbers = new Map<string, number>();
  readonly #known = new WeakMap<StructuralSchema, number>();

  /** Returns the text of a schema. Compare only texts from the same instance, because each instance assigns its own numbers. */
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
