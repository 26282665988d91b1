import { type Steps, withBreak } from '@kubewright/api/apply';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import type { Resource } from '../../../registry/resource.js';
import { controllerContext } from '../../work/controller-context.js';

/**
 * Writes the status that a controller has computed for an object. Does not change the status of another object that was created with the
 * same name in the meantime.
 */
export function* writeStatus(
  resource: Resource,
  read: ApiObject,
  { status, name }: { readonly status: JsonDraft; readonly name: string },
): Steps<void> {
  const change = withBreak((live: ApiObject) => (live.metadata.uid === read.metadata.uid ? { ...live, status } : live));
  yield* resource.updateSteps(read.metadata, change, controllerContext(name, 'update', 'status'));
}
