import type { StructuralSchema } from '@kubewright/api/schema';
import type { SchemaKeys } from './schema-keys.js';
import type { Parts } from './parts.js';
import type { ClassPlan, ValuePlan } from './value-plan.js';

/** The position of a schema. */
export interface Place {
  /** The words of the path, for the names of classes. */
  readonly words: readonly string[];
  /** Whether the schema belongs to items or map values, and not to a field. */
  readonly isItem: boolean;
}

/** The state while the classes of a file are planned. */
export interface Planning {
  /** The planned classes by schema and field name. */
  readonly shapes: Map<string, ClassPlan>;
  readonly keys: SchemaKeys;
  readonly parts: Parts;
  /** Plans the declaration of a value. */
  readonly valueOf: (schema: StructuralSchema, place: Place) => ValuePlan;
}
