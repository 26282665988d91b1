export { crdFor, type CrdOptions, crdsFor } from './crd/crd-for.js';
export type { Descriptions } from './fields/descriptions.js';
export { kindOf } from './kinds/kind-of.js';
export { wholeKindOf } from './kinds/metadata-only.js';
export { groupOf } from './objects/group-of.js';
export { toMetadataOnly } from './objects/metadata-only.js';
export { kindRefOf } from './kinds/kind-ref-of.js';
export { objectSchemaOf, specSchemaOf } from './kinds/schema-of.js';
export type { KindInfo } from './metadata/kind-info.js';
