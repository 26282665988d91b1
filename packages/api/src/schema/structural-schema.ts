/** The merge strategy of a list, and whether items can repeat. */
export type ListType = 'atomic' | 'set' | 'map';

/** One CEL rule of a schema. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/**
 * An OpenAPI schema as in a CustomResourceDefinition, with all references resolved: there is no `$ref`, and a type that contains itself is
 * a cycle of objects. Immutable, so functions can cache results by object identity.
 */
export interface StructuralSchema {
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly additionalProperties?: boolean | StructuralSchema;
  readonly items?: StructuralSchema;
  readonly required?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly StructuralSchema[];
  readonly anyOf?: readonly StructuralSchema[];
  readonly oneOf?: readonly StructuralSchema[];
  readonly not?: StructuralSchema;
  readonly externalDocs?: { readonly url?: string; readonly description?: string };
  readonly 'x-kubernetes-list-type'?: ListType;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-patch-strategy'?: string;
}
