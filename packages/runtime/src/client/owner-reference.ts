import { controllerOf, type KubeObject, type OwnerReference } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { withoutUndefined } from './json-value.js';
import { OWNER_LABEL } from './owner-label.js';
import { describe, type Target } from './target.js';

/** The reference by which an owner controls a child: the child is deleted with it. */
export function controllerReference(owner: KubeObject): OwnerReference {
  const { name, uid } = owner.metadata;
  return { apiVersion: owner.apiVersion, kind: owner.kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** The child with controller reference, namespace and label of the owner. Throws OWNER_REFUSED where the server's rules forbid such an owner. */
export function ownedBy<T extends KubeObject>(
  child: T,
  owner: KubeObject,
  { target, controller }: { readonly target: Target; readonly controller: string },
): T {
  const namespace = target.info.namespaced ? (child.metadata.namespace ?? owner.metadata.namespace) : undefined;
  const refuse = (why: string): never => {
    throw new KubewrightError(
      'OWNER_REFUSED',
      `make ${describe(owner.kind, owner.metadata)} the owner of ${describe(child.kind, { name: child.metadata.name, namespace })}: ${why}`,
    );
  };
  if (owner.metadata.uid === undefined) refuse('it has no uid; pass the owner as the server gave it');
  if (owner.metadata.namespace !== undefined && namespace !== owner.metadata.namespace) {
    refuse('an owner that is in a namespace can only own objects of the same namespace');
  }
  const other = controllerOf(child);
  if (other !== undefined && other.uid !== owner.metadata.uid)
    refuse(`${other.kind} ${other.name} controls it already`);
  const others = child.metadata.ownerReferences?.filter((reference) => reference.uid !== owner.metadata.uid) ?? [];
  return withoutUndefined({
    ...child,
    metadata: {
      ...child.metadata,
      namespace,
      labels: { ...child.metadata.labels, [OWNER_LABEL]: controller },
      ownerReferences: [...others, controllerReference(owner)],
    },
  });
}
