import { pruneMutated } from '../decoding/decode-mutated.js';
import { withoutEmpty } from '../decoding/go-form.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';
import type { DraftObject } from '../objects/api-object.js';

/**
 * Changes a reviewed draft, in place, to the object that kube-apiserver reads from its storage after the write. If `isMutated` is true,
 * drops the unknown fields of a custom object. In a built-in object, sets empty lists and maps to null, and sets the defaults of the
 * status. Validating webhooks receive the draft without these changes.
 */
export function settleDraft(
  draft: DraftObject,
  definition: ResourceDefinition,
  { isMutated }: { readonly isMutated: boolean },
): void {
  if (isMutated) pruneMutated(draft, definition);
  const settled = withoutEmpty(draft, definition);
  if (settled !== draft) Object.assign(draft, settled, { metadata: draft.metadata });
  definition.strategy.statusDefaults?.(draft);
}
