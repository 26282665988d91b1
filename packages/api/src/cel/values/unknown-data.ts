import { sameJson } from '../../schema/json-shape.js';
import { type CelType, structType } from './cel-type.js';
import type { CelValue, OpaqueValue } from './cel-value.js';

const UNKNOWN: CelType = structType('unknown');

/** A value that a schema preserves without a type. Expressions can only compare such values. */
export class UnknownData implements OpaqueValue {
  readonly opaqueType = UNKNOWN;
  readonly #raw: unknown;

  constructor(raw: unknown) {
    this.#raw = raw;
  }

  equals(other: CelValue): CelValue {
    return other instanceof UnknownData && sameJson(this.#raw, other.#raw);
  }
}
