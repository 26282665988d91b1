export {
  type Condition,
  type ConditionInit,
  findCondition,
  isConditionTrue,
  setCondition,
} from './conditions/condition.js';
export type { Agrees, Only } from './fields/agreement.js';
export { Field } from './fields/field.js';
export type { FieldDecorator, ItemSchema, Shape } from './fields/field-decorator.js';
export type {
  FieldOptions,
  ListConstraints,
  NumberConstraints,
  ObjectConstraints,
  StringConstraints,
} from './fields/field-options.js';
export type { SchemaValue, ValueSchema } from './fields/schema-value.js';
export { CustomResource, type SpecOptionalResource } from './kinds/custom-resource.js';
export { defineKind, type KindDefinition } from './kinds/define-kind.js';
export { dynamicKind } from './kinds/dynamic-kind.js';
export { applyConfiguration, type ConfigurationOf } from './kinds/apply-configuration.js';
export { metadataOnly } from './kinds/metadata-only.js';
export { Kind } from './kinds/kind.js';
export type {
  KindClass,
  ResourceInit,
  ResourceInitWithStatus,
  SpecOptionalInit,
  SpecOptionalInitWithStatus,
  WithDefinedStatus,
  WithStatus,
} from './kinds/kind-class.js';
export { AtLeastOneOf, AtMostOneOf, ExactlyOneOf } from './kinds/one-of.js';
export { PrintColumn, type PrintColumnOptions } from './kinds/print-column.js';
export { Rule } from './kinds/rule.js';
export { Scale } from './kinds/scale.js';
export { Schema } from './kinds/schema.js';
export { SelectableField } from './kinds/selectable-field.js';
export type { CustomResourceOptions, SchemaKeywords } from './metadata/class-metadata.js';
export type { KindOptions } from './metadata/kind-options.js';
export type { RuleOptions } from './metadata/rule-options.js';
export type { Default, Init } from './objects/default.js';
export { deepFreeze } from './objects/deep-freeze.js';
export { addFinalizer, hasFinalizer, removeFinalizer } from './objects/finalizer-list.js';
export { hasAddress } from './objects/has-address.js';
export { isReady } from './objects/is-ready.js';
export { isRunning } from './objects/is-running.js';
export { keyOf } from './objects/key-of.js';
export type {
  KindRef,
  KubeObject,
  MetaInit,
  ObjectKey,
  ObjectOf,
  ObjectMeta,
  OwnerReference,
  StatusOf,
} from './objects/kube-object.js';
export { isMetadataOnly, type MetadataOnly, type WholeObject } from './objects/metadata-only.js';
export { mutable } from './objects/mutable.js';
export {
  type OwnerReferenceOptions,
  removeControllerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from './objects/owner-references.js';
export { controllerOf, isControlledBy, isOwnedBy } from './objects/ownership.js';
export type { DeepReadonly, Draft, DraftOf } from './objects/readonly.js';
export { Policy } from './policies/policy.js';
export type {
  PolicyBinding,
  PolicyMutation,
  PolicyOptions,
  PolicyParams,
  PolicyValidation,
} from './policies/policy-options.js';
export { Admission, type AdmissionRequest } from './webhooks/admission.js';
export type { AdmissionContext, AdmissionOperation, AdmissionUser } from './webhooks/admission-context.js';
export { type AuthenticatedUser, type AuthenticationContext, Authenticator } from './webhooks/authenticator.js';
export { type ConvertedContent, Converter } from './webhooks/converter.js';
export { Defaulter } from './webhooks/defaulter.js';
export { Validator } from './webhooks/validator.js';
export type { Violation, ViolationReason } from './webhooks/violation.js';
export type {
  AdmissionOptions,
  AdmittedObject,
  AuthenticatorOptions,
  ConverterOptions,
  DefaulterOptions,
  WebhookCondition,
  WebhookOptions,
} from './webhooks/webhook-options.js';
