export { applyMergePatch, applyMergePatchSteps } from './patch/apply-merge-patch.js';
export { deepEqual } from './patch/deep-equal.js';
export { goText, goTypeName } from './patch/go-value-text.js';
export { applyJsonPatch, applyJsonPatchSteps } from './patch/json-patch.js';
export { jsonPatchBetween } from './patch/json-patch-between.js';
export type { JsonPatchOperation } from './patch/json-patch-operation.js';
export { mergePatch } from './patch/merge-patch.js';
export { PatchError } from './patch/patch-error.js';
export { applyStrategicMergePatch, applyStrategicMergePatchSteps } from './patch/strategic-merge-patch.js';
