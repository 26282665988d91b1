import { KubewrightError } from '../errors/kubewright-error.js';
import type { KubeObject, ObjectKey, OwnerReference } from './kube-object.js';
import { controllerOf, isSameOwner } from './ownership.js';
import type { Draft } from './readonly.js';

/** Options of an owner reference. */
export interface OwnerReferenceOptions {
  /**
   * Whether foreground deletion of the owner waits until this object is deleted.
   * @default true for a controller, else omitted
   */
  readonly blockOwnerDeletion?: boolean;
}

/**
 * Makes `owner` the controller of a draft. The controller manages the object, and the garbage collector deletes the object after the
 * controller is deleted. If the draft already has a reference with the same group, kind and name, replaces the reference at its position,
 * even if its version or uid differs. The `owner` option of `client.create` and `client.apply` does the same. Throws ALREADY_OWNED if
 * another object is the controller. Throws OWNER_NOT_ALLOWED if the owner lacks an apiVersion, a kind or a uid. Also throws
 * OWNER_NOT_ALLOWED for a namespaced owner if the object is cluster-scoped or in another namespace.
 * @example const settings = mutable(settingsFor(vm)); setControllerReference(settings, vm); await client.create<ConfigMap>(settings);
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
      `cannot make ${named(owner)} the controller of ${named(object)}: it is already controlled by ${other.kind} ${other.name}; an object can have only one controller`,
    );
  }
  put(object, { ...referenceTo(owner), controller: true, blockOwnerDeletion });
}

/**
 * Adds `owner` to the owners of a draft, in addition to the controller. The garbage collector deletes the object when all of its owners are
 * deleted. Replaces an existing reference to this owner, even a controller reference. Throws OWNER_NOT_ALLOWED as `setControllerReference`
 * does.
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
 * Removes an owner from a draft by group, kind and name. The owner can be the controller. Throws OWNER_NOT_FOUND if `owner` does not own
 * the object, and OWNER_NOT_ALLOWED if the owner lacks an apiVersion or a kind.
 * @example await client.patch(secret, (draft) => removeOwnerReference(draft, vm));
 */
export function removeOwnerReference(object: Draft<KubeObject>, owner: KubeObject): void {
  assertKind(owner, removing(object, owner, 'owner'));
  const references = object.metadata.ownerReferences ?? [];
  const kept = references.filter((one) => !isSameOwner(one, referenceTo(owner)));
  if (kept.length === references.length) throw notFound(object, owner, 'owner');
  object.metadata.ownerReferences = kept;
}

/**
 * Removes the controller from a draft. Throws OWNER_NOT_FOUND if `owner` is not the controller, and OWNER_NOT_ALLOWED if the owner lacks an
 * apiVersion or a kind.
 * @example await client.patch(pod, (draft) => removeControllerReference(draft, set));
 */
export function removeControllerReference(object: Draft<KubeObject>, owner: KubeObject): void {
  assertKind(owner, removing(object, owner, 'controller'));
  const controller = controllerOf(object as KubeObject);
  if (controller === undefined || !isSameOwner(controller, referenceTo(owner)))
    throw notFound(object, owner, 'controller');
  removeOwnerReference(object, owner);
}

function referenceTo({ apiVersion, kind, metadata: { name, uid } }: KubeObject): OwnerReference {
  return { apiVersion, kind, name, uid };
}

/** Adds or replaces a reference in a new list, because the draft can share its list with the original object. */
function put(object: Draft<KubeObject>, reference: OwnerReference): void {
  const references = [...(object.metadata.ownerReferences ?? [])];
  const at = references.findIndex((one) => isSameOwner(one, reference));
  references.splice(at < 0 ? references.length : at, at < 0 ? 0 : 1, reference);
  object.metadata.ownerReferences = references;
}

function assertAcceptable(object: Draft<KubeObject>, owner: KubeObject): void {
  const attempt = `make ${named(owner)} an owner of ${named(object)}`;
  assertKind(owner, attempt);
  const { uid, namespace } = owner.metadata;
  if (!uid) throw refused(attempt, 'the owner has no uid; pass the owner as returned by the API server');
  if (namespace === undefined || namespace === object.metadata.namespace) return;
  const where = object.metadata.namespace
    ? `the owner is in namespace '${namespace}'; a namespaced owner can own only objects in its namespace`
    : 'a namespaced owner cannot own a cluster-scoped object';
  throw refused(attempt, where);
}

function assertKind(owner: KubeObject, attempt: string): void {
  if (owner.apiVersion && owner.kind) return;
  throw refused(
    attempt,
    'the owner has no apiVersion or no kind; create the owner with `new`, or pass the owner as returned by the API server',
  );
}

function refused(attempt: string, why: string): KubewrightError {
  return new KubewrightError('OWNER_NOT_ALLOWED', `cannot ${attempt}: ${why}`);
}

function removing(object: Draft<KubeObject>, owner: KubeObject, what: 'owner' | 'controller'): string {
  return `remove the ${what} ${named(owner)} from ${named(object)}`;
}

function notFound(object: Draft<KubeObject>, owner: KubeObject, what: 'owner' | 'controller'): KubewrightError {
  return new KubewrightError(
    'OWNER_NOT_FOUND',
    `cannot ${removing(object, owner, what)}: the object does not have this ${what}; call isOwnedBy or isControlledBy first`,
  );
}

function named({ kind, metadata }: { readonly kind: string; readonly metadata: ObjectKey }): string {
  const { name, namespace } = metadata;
  return `${kind ? `${kind} ` : ''}${namespace ? `${namespace}/` : ''}${name}`;
}
