import { recordMetadata } from '../metadata/reflection.js';
import type { KindRef } from '../objects/kube-object.js';
import type { PathCheck } from './path-check.js';

/** Declares a field that `kubectl get --field-selector` supports. A kind can have at most 8 selectable fields. */
export function SelectableField<const P extends string>(
  jsonPath: P,
): <C extends KindRef>(target: C & PathCheck<InstanceType<C>, P>) => void {
  return (target) =>
    recordMetadata(target, (metadata) => ({
      ...metadata,
      selectableFields: [jsonPath, ...metadata.selectableFields],
    }));
}
