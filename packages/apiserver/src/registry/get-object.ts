import type { Steps } from '@kubewright/api/apply';
import type { ApiObject } from './objects/api-object.js';
import type { ResourceKey } from './requests/verb-options.js';
import type { Resource } from './resource.js';
import { readScale } from './scale/scale.js';
import { readAgain } from './writing/stored-form.js';

/** Returns an object in steps. Calls the webhook that converts the object, if any. Throws 404 if the object does not exist. */
export function* getSteps(resource: Resource, key: ResourceKey): Steps<ApiObject> {
  return yield* readAgain(resource.stored(key), resource.definition);
}

/** Returns the autoscaling/v1 Scale of an object in steps, like `getSteps`. */
export function* getScaleSteps(resource: Resource, key: ResourceKey): Steps<ApiObject> {
  return readScale(yield* getSteps(resource, key), resource.definition);
}
