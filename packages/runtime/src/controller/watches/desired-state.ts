import type { KubeObject } from '@kubewright/api';
import { deepEqual } from '@kubewright/api/patch';

/**
 * Whether the desired state of two versions of an object differs. Compares uid, generation, deletionTimestamp, labels, annotations,
 * finalizers, and all fields other than metadata and status.
 */
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

/** Returns all fields except metadata and status, such as the spec of most kinds, the data of a ConfigMap, or the rules of a Role. */
function desiredParts(object: KubeObject): Record<string, unknown> {
  const { metadata: _metadata, status: _status, ...parts } = object as KubeObject & { readonly status?: unknown };
  return parts;
}
