export { ApplyConflictError, type ApplyConflict } from './apply/apply-conflict-error.js';
export { ApplyError } from './apply/apply-error.js';
export { applyServerSide, type ApplyServerSideOptions } from './apply/apply-server-side.js';
export { FieldSet } from './apply/field-set.js';
export { decodeFieldsV1, encodeFieldsV1, type FieldsV1 } from './apply/fields-v1.js';
export { pathText, type Path, type PathElement } from './apply/path-element.js';
export { scaledManagedFields, scaleManagedFields, type ReplicasPaths } from './apply/scale-managers.js';
export type { SchemaOf } from './apply/versioned-atoms.js';
export { trackUpdate, type TrackUpdateOptions } from './apply/track-update.js';
