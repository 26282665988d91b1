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
/** A set of fields, and the number of them that must be set. */
export interface OneOfRecord {
  readonly keys: readonly string[];
  readonly count: 'exactly one' | 'at most one' | 'at least one';
}

/** The keywords that the schema of a class can have in addition to its fields and rules. */
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

/** Options of `CustomResource(…)`. */
export interface CustomResourceOptions<Spec = unknown, Status = unknown> {
  /** Set to true if objects without a spec are valid. @default false */
  readonly specOptional?: true;
  /**
   * Whether the status is a subresource. Set to false if the status is an ordinary field that is written together with the spec, and to
   * true if the kind has the subresource without a status class. @default true with a status class, false without one
   */
  readonly statusSubresource?: boolean;
  /**
   * The spec of objects that are created without a spec. With this option, such objects are valid. The defaults of the fields of the spec
   * also apply.
   * @default none
   */
  readonly specDefault?: Init<Spec>;
  /** The status of objects without a status. With this option, the status is always present. @default none */
  readonly statusDefault?: Init<Status>;
  /**
   * A class whose fields are the other top-level fields of the object, such as `operation` or `data`. The class can also declare `spec` or
   * `status`, if no class for that field is passed to `CustomResource`. @default none
   */
  readonly topLevel?: AnyClass;
}

/** The settings of all decorators of one class, as plain data. */
export interface ClassMetadata {
  readonly fields: Readonly<Record<string, FieldRecord>>;
  readonly rules: readonly RuleOptions[];
  readonly fieldRules: Readonly<Record<string, readonly RuleOptions[]>>;
  readonly oneOf: readonly OneOfRecord[];
  readonly printColumns: readonly PrintColumnRecord[];
  readonly selectableFields: readonly string[];
  readonly scale?: ScaleRecord;
  /** The keywords of `@Schema`. */
  readonly schema?: SchemaKeywords;
  /** The classes passed to `CustomResource(…)`. */
  readonly spec?: AnyClass;
  readonly status?: AnyClass;
  readonly resource?: CustomResourceOptions;
  /** The options of `@Kind` and the names derived from them. */
  readonly kind?: { readonly options: KindOptions; readonly info: KindInfo };
  /** The webhooks of `@Defaulter`, `@Validator`, `@Admission`, `@Converter` and `@Authenticator`. */
  readonly webhooks?: readonly { readonly type: string; readonly options: object }[];
  /** The options of `@Policy`. */
  readonly policies?: readonly object[];
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
