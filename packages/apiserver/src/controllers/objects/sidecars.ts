import type { JsonDraft, JsonObject } from '../../registry/objects/api-object.js';
import { objectsAt } from '../../registry/objects/json-object.js';

/** Returns the init containers of a Pod that keep running while the containers run. */
export function sidecarsOf(pod: JsonObject): readonly JsonDraft[] {
  return objectsAt(pod, 'spec', 'initContainers').filter(({ restartPolicy }) => restartPolicy === 'Always');
}

/** Returns the containers of a Pod, followed by its sidecars. */
export function containersAndSidecars(pod: JsonObject): readonly JsonDraft[] {
  return [...objectsAt(pod, 'spec', 'containers'), ...sidecarsOf(pod)];
}
