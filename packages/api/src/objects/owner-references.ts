import { KubewrightError } from '../errors/kubewright-error.js';
import type { KubeObject, ObjectKey, OwnerReference } from './kube-object.js';
import { controllerOf, isSameOwner } from './ownership.js';
import type { Draft } from './readonly.js';

/** How an owner holds its object. */
export interface OwnerReferenceOptions {
  /**
   * Whether an owner that is deleted in the foreground waits until this object is gone.
   * @default true for a controller, else left out
   */
  readonly blockOwnerDeletion?: boolean;
}

/**
 * Makes `owner` the controller of a draft: the one that manages it, and with which it is deleted. The reference that names this owner
 * already, by group, kind and name, is replaced where it stands: so one of another version, or to an earlier object of that name, is
 * brought up to date. `client.create` and `client.apply` do this by their option `owner`.
 *
 * Throws ALREADY_OWNED when another object controls it, and OWNER_REFUSED for an owner that the server would not accept: one without
 * kind or uid, or one in a namespace of an object that is in another one or in none.
 *
 * @example
 * const settings = mutable(settingsFor(vm));
 * setControllerReference(settings, vm);
 * await client.create<ConfigMap>(settings);
 */
export function setControllerReference(
  object: Draft<KubeObject>,
  owner: KubeObject,
  { blockOwnerDeletion = true }: OwnerReferenceOptions = {},
): void {
  assertAcceptable(object, owner);
  const other = controllerOf(object as KubeObject);
  if (other !== undefined && !isSameOwner(other, referenceTo(owner))) {
    throw new KubewrightError(
      'ALREADY_OWNED',
      `make ${named(owner)} the controller of ${named(object)}: ${other.kind} ${other.name} controls it already; an object has one controller at most`,
    );
  }
  put(object, { ...referenceTo(owner), controller: true, blockOwnerDeletion });
}

/**
 * Makes `owner` one of the owners of a draft, beside its controller: the object is deleted when all of its owners are gone. A
 * reference that names this owner already is replaced, even one by which it was the controller. Throws OWNER_REFUSED as
 * `setControllerReference` does.
 *
 * @example await client.patch(secret, (draft) => setOwnerReference(draft, vm));
 */
export function setOwnerReference(
  object: Draft<KubeObject>,
  owner: KubeObject,
  { blockOwnerDeletion }: OwnerReferenceOptions = {},
): void {
  assertAcceptable(object, owner);
  put(object, { ...referenceTo(owner), ...(blockOwnerDeletion !== undefined && { blockOwnerDeletion }) });
}

/**
 * Takes an owner away from a draft, its controller or another, by group, kind and name. Throws OWNER_NOT_FOUND when it is none of its
 * owners, and OWNER_REFUSED when it does not say its kind.
 *
 * @example await client.patch(secret, (draft) => removeOwnerReference(draft, vm));
 */
export function removeOwnerReference(object: Draft<KubeObject>, owner: KubeObject): void {
  assertKind(object, owner);
  const references = object.metadata.ownerReferences ?? [];
  const kept = references.filter((one) => !isSameOwner(one, referenceTo(owner)));
  if (kept.length === references.length) throw notFound(object, owner, 'owner');
  object.metadata.ownerReferences = kept;
}

/**
 * Takes its controller away from a draft. Throws OWNER_NOT_FOUND when nothing, or something else than `owner`, controls it, and
 * OWNER_REFUSED when the owner does not say its kind.
 *
 * @example await client.patch(pod, (draft) => removeControllerReference(draft, set));
 */
export function removeControllerReference(object: Draft<KubeObject>, owner: KubeObject): void {
  assertKind(object, owner);
  const controller = controllerOf(object as KubeObject);
  if (controller === undefined || !isSameOwner(controller, referenceTo(owner)))
    throw notFound(object, owner, 'controller');
  removeOwnerReference(object, owner);
}

function referenceTo({ apiVersion, kind, metadata: { name, uid } }: KubeObject): OwnerReference {
  return { apiVersion, kind, name, uid };
}

/** A new list: that of the draft may belong to what it was made from. */
function put(object: Draft<KubeObject>, reference: OwnerReference): void {
  const references = [...(object.metadata.ownerReferences ?? [])];
  const at = references.findIndex((one) => isSameOwner(one, reference));
  references.splice(at < 0 ? references.length : at, at < 0 ? 0 : 1, reference);
  object.metadata.ownerReferences = references;
}

function assertAcceptable(object: Draft<KubeObject>, owner: KubeObject): void {
  assertKind(object, owner);
  const { uid, namespace } = owner.metadata;
  if (!uid) throw refused(object, owner, 'it has no uid; pass the owner as the server gave it');
  if (namespace === undefined || namespace === object.metadata.namespace) return;
  const where = object.metadata.namespace
    ? `it is in namespace '${namespace}'; an owner that is in a namespace can only own objects of the same one`
    : 'an owner that is in a namespace cannot own an object that is in none';
  throw refused(object, owner, where);
}

function assertKind(object: Draft<KubeObject>, owner: KubeObject): void {
  if (owner.apiVersion && owner.kind) return;
  throw refused(
    object,
    owner,
    'it does not say its apiVersion and kind; make it with `new`, or pass it as it was read',
  );
}

function refused(object: Draft<KubeObject>, owner: KubeObject, why: string): KubewrightError {
  return new KubewrightError('OWNER_REFUSED', `make ${named(owner)} an owner of ${named(object)}: ${why}`);
}
function notFound(object: Draft<KubeObject>, owner: KubeObject, what: string): KubewrightError {
  return new KubewrightError(
    'OWNER_NOT_FOUND',
    `take the ${what} ${named(owner)} away from ${named(object)}: it is not its ${what}; ask isOwnedBy or isControlledBy first`,
  );
}

function named({ kind, metadata }: { readonly kind: string; readonly metadata: ObjectKey }): string {
  const { name, namespace } = metadata;
  return `${kind || 'an object'} ${namespace ? `${namespace}/` : ''}${name}`;
}
