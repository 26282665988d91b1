import { type CelType, celTypes, listOf, mapOf, structType } from '../values/cel-type.js';
import { CelMap, type CelValue } from '../values/cel-value.js';

/** The type of the variable `variables`. */
export const variablesType = structType('kubernetes.variables');

const kept = ['bool', 'bytes', 'double', 'duration', 'int', 'null_type', 'string', 'timestamp', 'uint'];

/**
 * Returns the declared type of a field of `variables` whose expression has the given type. Like the API server, keeps only scalars, and
 * lists and maps of scalars. All other types become dyn.
 */
export function variableType(type: CelType): CelType {
  if (kept.includes(type.kind)) return type;
  const [first = celTypes.dyn, second = celTypes.dyn] = type.parameters;
  if (type.kind === 'list') return listOf(variableType(first));
  return type.kind === 'map' ? mapOf(variableType(first), variableType(second)) : celTypes.dyn;
}

/** The value of the variable `variables`. Evaluates each field when an expression reads the field for the first time. */
export class VariablesValue extends CelMap {
  readonly #names: readonly string[];
  readonly #evaluate: (name: string) => CelValue;
  readonly #values = new Map<string, CelValue>();

  constructor(names: readonly string[], evaluate: (name: string) => CelValue) {
    super();
    this.#names = names;
    this.#evaluate = evaluate;
  }

  get size(): number {
    return this.#names.length;
  }

  find(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string' || !this.#names.includes(key)) return undefined;
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const value = this.#evaluate(key);
    this.#values.set(key, value);
    return value;
  }

  keys(): Iterable<CelValue> {
    return this.#names;
  }

  equals(other: CelValue): CelValue {
    return other === this;
  }
}
