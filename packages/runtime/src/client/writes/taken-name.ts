import { controllerOf, isControlledBy, type KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { isSameOwner } from '@kubewright/api/metadata';
import type { ApplyOptions } from '../options/client-options.js';
import { describe } from '../requests/target.js';

/**
 * Whether an existing object can be applied for the given owner. Returns true if no owner is given, if the owner controls the object, or if
 * `adopt` is true and the object has no controller.
 */
export function mayTake(present: KubeObject, { owner, adopt }: ApplyOptions): boolean {
  if (owner === undefined || isControlledBy(present, owner)) return true;
  return adopt === true && controllerOf(present) === undefined;
}

/**
 * Returns the error for an existing object that cannot be applied for the given owner: STALE_CHILD if an earlier owner of the same name
 * controls the object, otherwise NOT_OWNED.
 */
export function notOwned(present: KubeObject, { owner }: ApplyOptions): KubewrightError {
  const controller = controllerOf(present);
  const child = describe(present.kind, present.metadata);
  const forOwner = owner === undefined ? '' : ` for ${describe(owner.kind, owner.metadata)}`;
  const attempted = `cannot apply ${child}${forOwner}: an object with this name already exists, and `;
  if (owner !== undefined && isOfNamesake(present, owner)) {
    const why = `an older ${owner.kind} with the same name controls it; apply again after the existing object is deleted`;
    return new KubewrightError('STALE_CHILD', attempted + why);
  }
  const whose =
    controller === undefined
      ? 'it has no controller; pass adopt: true to adopt it'
      : `${controller.kind} ${controller.name} controls it`;
  return new KubewrightError('NOT_OWNED', attempted + whose);
}

/** Whether an object with the kind and the name of the owner, but with another uid, controls the existing object. */
export function isOfNamesake(present: KubeObject, { apiVersion, kind, metadata: { name, uid } }: KubeObject): boolean {
  const controller = controllerOf(present);
  return controller !== undefined && controller.uid !== uid && isSameOwner(controller, { apiVersion, kind, name });
}

/** Returns the error for an existing object that a later owner of the same name controls. */
export function replacedOwner(present: KubeObject, owner: KubeObject): KubewrightError {
  const child = describe(present.kind, present.metadata);
  const why = `the given ${owner.kind} no longer exists, and a newer ${owner.kind} with the same name controls the object; reconcile again when the cache contains the newer ${owner.kind}`;
  return new KubewrightError(
    'STALE_CHILD',
    `cannot create or patch ${child} for ${describe(owner.kind, owner.metadata)}: ${why}`,
  );
}
