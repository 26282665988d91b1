import { deepEqual } from '@kubewright/api/patch';
import type { ApiObject } from '../../../registry/objects/api-object.js';

/** Returns whether two versions are of the same object and have the same status. */
export function hasSameStatus(read: ApiObject, live: ApiObject): boolean {
  return read.metadata.uid === live.metadata.uid && deepEqual(read['status'] ?? {}, live['status'] ?? {});
}
