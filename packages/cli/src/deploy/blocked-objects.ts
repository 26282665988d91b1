import type { KubeObject } from '@kubewright/api';
import { describeObject } from './kube-api.js';

const SHOWN_OBJECTS = 5;

/**
 * Describes objects that are waiting for their finalizers. The text contains the first five objects with their finalizers, and the number
 * of other objects: 'Foo default/a (example.com/disks), Foo default/b (example.com/disks), and 2 more'.
 */
export function describeBlocked(objects: readonly KubeObject[]): string {
  const shown = objects
    .slice(0, SHOWN_OBJECTS)
    .map((object) => `${describeObject(object)} (${object.metadata.finalizers?.join(', ')})`);
  const more = objects.length - SHOWN_OBJECTS;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
