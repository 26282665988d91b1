import type { KubeObject } from '@kubewright/api';
import { deepEqual } from '@kubewright/api/patch';

/** Whether two states of an object ask for different things: in spec, labels, annotations, finalizers, or the wish to delete. */
export function desiredStateDiffers(old: KubeObject, now: KubeObject): boolean {
  const [before, after] = [old.metadata, now.metadata];
  if (before.uid !== after.uid || before.deletionTimestamp !== after.deletionTimestamp) return true;
  if (before.generation !== after.generation) return true;
  return (
    !deepEqual(before.labels, after.labels) ||
    !deepEqual(before.annotations, after.annotations) ||
    !deepEqual(before.finalizers, after.finalizers) ||
    !deepEqual(desiredParts(old), desiredParts(now))
  );
}

/** Everything beside metadata and status: the spec of most kinds, the data of a ConfigMap, the rules of a Role. */
function desiredParts(object: KubeObject): Record<string, unknown> {
  const { metadata: _metadata, status: _status, ...parts } = object as KubeObject & { readonly status?: unknown };
  return parts;
}
