export { crdFor, type CrdOptions, crdsFor } from './crd/crd-for.js';
export { fieldAt, printerColumns } from './crd/printer-columns.js';
export type { Descriptions } from './fields/descriptions.js';
export { isExternalKind } from './kinds/is-external-kind.js';
export { kindOf } from './kinds/kind-of.js';
export { pluralOf } from './kinds/plural.js';
export { wholeKindOf } from './kinds/metadata-only.js';
export { groupOf } from './objects/group-of.js';
export { isSameOwner, type OwnerName } from './objects/ownership.js';
export { toMetadataOnly } from './objects/metadata-only.js';
export { kindRefOf } from './kinds/kind-ref-of.js';
export { objectSchemaOf, specSchemaOf } from './kinds/schema-of.js';
export { partSchemaOf } from './metadata/kind-source.js';
export type { KindInfo } from './metadata/kind-info.js';
export type { AnyClass } from './metadata/any-class.js';
export type { ClassMetadata } from './metadata/class-metadata.js';
export { metadataOf } from './metadata/reflection.js';
export { checkPolicyOptions, invalidPolicy } from './policies/check-policy-options.js';
export { policiesOf } from './policies/record-policy.js';
export { checkConverterOptions, checkWebhookOptions, invalidWebhook } from './webhooks/check-webhook-options.js';
export { isExemptKind } from './webhooks/is-exempt-kind.js';
export { webhooksOf } from './webhooks/record-webhook.js';
export type {
  AdmissionRecord,
  AdmissionType,
  AuthenticatorRecord,
  ConverterRecord,
  WebhookRecord,
} from './webhooks/webhook-record.js';
