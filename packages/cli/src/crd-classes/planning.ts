import type { StructuralSchema } from '@kubewright/api/schema';
import type { SchemaKeys } from './schema-keys.js';
import type { Parts } from './parts.js';
import type { ClassPlan, ValuePlan } from './value-plan.js';

/** Where a schema stands. */
export interface Place {
  /** What leads to it, for the names of classes. */
  readonly words: readonly string[];
  /** Whether it is the schema of items or values and not that of a field. */
  readonly isItem: boolean;
}

/** What is known while the classes of a file are planned. */
export interface Planning {
  /** The classes so far, by their schema and the name of the field. */
  readonly shapes: Map<string, ClassPlan>;
  readonly keys: SchemaKeys;
  readonly parts: Parts;
  /** How a value of a schema is declared. */
  readonly valueOf: (schema: StructuralSchema, place: Place) => ValuePlan;
}
