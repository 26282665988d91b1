import { defineKind, dynamicKind, type KindRef } from '@kubewright/api';
import type { InspectedKindName } from '../project/inspected-project.js';

/** Restores the class of a kind in an inspected project. The class contains only the names of the kind. */
export function restoredKind({ group, version, kind, plural, namespaced }: InspectedKindName): KindRef {
  // Groups without a dot contain only built-in kinds, whose other names are known.
  if (plural === undefined || !group.includes('.')) {
    return dynamicKind(group === '' ? version : `${group}/${version}`, kind);
  }
  return defineKind({ group, version, kind, plural, scope: namespaced === false ? 'Cluster' : 'Namespaced' });
}
