import type { StructuralSchema } from '@kubewright/api/schema';
import type { SchemaKeys } from './schema-keys.js';
import type { Parts } from './parts.js';
import type { ClassPlan, ValuePlan } from './value-plan.js';

/** The position of a schema in the object. */
export interface Place {
  /** The field names of the path in PascalCase. Class names are derived from these words. */
  readonly words: readonly string[];
  /** Whether the class has the description: true for list items, map values, spec, and status; false if the field has the description. */
  readonly isItem: boolean;
}

/** The state that all classes of a file share during planning. */
export interface Planning {
  /** The planned classes, keyed by schema and field name, so that equal fields share a class. */
  readonly shapes: Map<string, ClassPlan>;
  readonly keys: SchemaKeys;
  readonly parts: Parts;
  /** Plans a value. The module that plans classes receives this function in the state, because an import would be circular. */
  readonly valueOf: (schema: StructuralSchema, place: Place) => ValuePlan;
}
