import { type Steps, withBreak } from '@kubewright/api/apply';
import type { ResourceKey } from '../../../registry/requests/verb-options.js';
import type { Resource } from '../../../registry/resource.js';
import { controllerContext } from '../../work/controller-context.js';

/** Replaces the object with the key, or creates an object if the key is undefined. `name` is the name of the controller. */
export function* createOrReplace(
  resource: Resource,
  key: ResourceKey | undefined,
  { body, name }: { readonly body: object; readonly name: string },
): Steps<void> {
  if (key === undefined) {
    yield* resource.createSteps(body, controllerContext(name, 'create'));
    return;
  }
  const change = withBreak(() => body);
  yield* resource.updateSteps(key, change, controllerContext(name, 'update'));
}
