import type { KubeObject } from '@kubewright/api';
import { shownList } from '../command/shown-list.js';
import { describeObject } from './kube-api.js';

const SHOWN_OBJECTS = 5;

/**
 * Describes objects that are waiting for their finalizers. The text contains the first five objects with their finalizers, and the number
 * of other objects: 'Foo default/a (example.com/disks), Foo default/b (example.com/disks), and 2 more'.
 */
export function describeBlocked(objects: readonly KubeObject[]): string {
  const described = objects.map((object) => `${describeObject(object)} (${object.metadata.finalizers?.join(', ')})`);
  return shownList(described, { most: SHOWN_OBJECTS });
}
