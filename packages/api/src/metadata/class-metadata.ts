import type { KindOptions } from './kind-options.js';
import type { KindInfo } from './kind-info.js';
import type { Init } from '../objects/default.js';
import type { RuleOptions } from './rule-options.js';
import type { FieldRecord } from '../fields/field-record.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import type { AnyClass } from './any-class.js';

/** A column of `kubectl get`, as declared. */
export interface PrintColumnRecord {
  readonly name: string;
  readonly jsonPath: string;
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}
/** The paths of the scale subresource. */
export interface ScaleRecord {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly labelSelector?: string;
}
/** A set of fields, and how many of them are set. */
export interface OneOfRecord {
  readonly keys: readonly string[];
  readonly count: 'exactly one' | 'at most one' | 'at least one';
}

/** What the schema of a class may say beside its fields and rules. */
export type SchemaKeywords = Pick<
  StructuralSchema,
  | 'allOf'
  | 'anyOf'
  | 'externalDocs'
  | 'maxProperties'
  | 'minProperties'
  | 'not'
  | 'oneOf'
  | 'title'
  | 'x-kubernetes-embedded-resource'
  | 'x-kubernetes-map-type'
  | 'x-kubernetes-preserve-unknown-fields'
>;

/** What `CustomResource(…)` may be told beside its classes. */
export interface CustomResourceOptions<Spec = unknown, Status = unknown> {
  /** Say true where objects without a spec are legal. @default false */
  readonly specOptional?: true;
  /**
   * Whether the status is a subresource. Set to false if the status is an ordinary field that is written together with the spec, and to
   * true if the kind has the subresource without a status class. @default true with a status class, false without one
   */
  readonly statusSubresource?: boolean;
  /**
   * The spec of objects that are made without one, which is legal then; defaults of its fields are filled in as well.
   * @default none
   */
  readonly specDefault?: Init<Spec>;
  /** The status of objects that have none yet, which is therefore always there. @default none */
  readonly statusDefault?: Init<Status>;
  /**
   * A class whose fields are the other top-level fields of the object, such as `operation` or `data`. It can also declare
   * `spec` or `status`, if that field is not an object with a class of its own. @default none
   */
  readonly topLevel?: AnyClass;
}

/** All that the decorators of one class said, as plain data. */
export interface ClassMetadata {
  readonly fields: Readonly<Record<string, FieldRecord>>;
  readonly rules: readonly RuleOptions[];
  readonly fieldRules: Readonly<Record<string, readonly RuleOptions[]>>;
  readonly oneOf: readonly OneOfRecord[];
  readonly printColumns: readonly PrintColumnRecord[];
  readonly selectableFields: readonly string[];
  readonly scale?: ScaleRecord;
  /** What `@Schema` was given. */
  readonly schema?: SchemaKeywords;
  /** What `CustomResource(…)` was given. */
  readonly spec?: AnyClass;
  readonly status?: AnyClass;
  readonly resource?: CustomResourceOptions;
  /** What `@Kind` was given. */
  readonly kind?: { readonly options: KindOptions; readonly info: KindInfo };
}

/** The metadata of a class without decorators. */
export const emptyMetadata: ClassMetadata = Object.freeze({
  fields: {},
  rules: [],
  fieldRules: {},
  oneOf: [],
  printColumns: [],
  selectableFields: [],
});
