import { Breaks, type Steps, withBreak } from '@kubewright/api/apply';
import { isConflict, isInvalid, isNotFound } from '@kubewright/api/errors';
import type { LabelSelector } from '@kubewright/api/selectors';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import type { ControllerSetting } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import { finalizersWithout, withFinalizers, withOwners } from '../../objects/owners.js';
import { controllerReference } from '../../objects/controller-reference.js';

/** The parameters of `claimed`: the owner, and the bucket and labels of the objects that the owner claims. */
export interface Claim {
  readonly owner: ApiObject;
  readonly bucket: string;
  readonly selector: LabelSelector;
  /** The name of the claiming controller. */
  readonly name: string;
  /** Returns whether the owner can adopt an object that the selector selects and that has no controller. @default always true */
  readonly adopts?: (object: ApiObject) => boolean;
  /** The finalizer that is added to adopted objects and removed from released objects. @default none */
  readonly finalizer?: string;
}

/**
 * Returns the objects that the owner controls and that its selector selects. If the owner is not being deleted, this function also adopts
 * selected objects without a controller, and releases objects that the selector no longer selects.
 */
export function* claimed(setting: ControllerSetting, claim: Claim): Steps<readonly ApiObject[]> {
  const { owner, bucket, selector } = claim;
  const { index } = setting;
  const matches = ({ metadata }: ApiObject): boolean => selector.matches(metadata.labels ?? {});
  const kept: ApiObject[] = [];
  const breaks = new Breaks();
  for (const object of index.controlledBy(owner, bucket)) {
    if (breaks.isDue()) yield;
    if (matches(object)) kept.push(object);
    else if (owner.metadata.deletionTimestamp === undefined) yield* release(setting, claim, object);
  }
  if (owner.metadata.deletionTimestamp !== undefined) return kept;
  for (const orphan of index.orphans(bucket, owner.metadata.namespace)) {
    if (breaks.isDue()) yield;
    if (orphan.metadata.deletionTimestamp !== undefined || !matches(orphan)) continue;
    if (claim.adopts?.(orphan) === false) continue;
    const adopted = yield* adopt(setting, claim, orphan);
    if (adopted !== undefined) kept.push(adopted);
  }
  return kept;
}

/** Makes the owner the controller of an object. Returns undefined if the object cannot be adopted any more. */
function adopt(setting: ControllerSetting, claim: Claim, orphan: ApiObject): Steps<ApiObject | undefined> {
  const { finalizer } = claim;
  return update(setting, claim, {
    object: orphan,
    change: (live) => {
      const owned = withOwners(live, [...(live.metadata.ownerReferences ?? []), controllerReference(claim.owner)]);
      return finalizer === undefined
        ? owned
        : withFinalizers(owned, [...finalizersWithout(live, finalizer), finalizer]);
    },
  });
}

function release(setting: ControllerSetting, claim: Claim, object: ApiObject): Steps<ApiObject | undefined> {
  const { finalizer, owner } = claim;
  return update(setting, claim, {
    object,
    change: (live) => {
      const owners = (live.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid);
      return withFinalizers(withOwners(live, owners), finalizersWithout(live, finalizer));
    },
  });
}

function* update(
  { registry }: ControllerSetting,
  { bucket, name }: Claim,
  { object, change }: { readonly object: ApiObject; readonly change: (live: ApiObject) => ApiObject },
): Steps<ApiObject | undefined> {
  const { uid } = object.metadata;
  const changed = withBreak((live: ApiObject) => (live.metadata.uid === uid ? change(live) : live));
  try {
    const resource = registry.inBucket(bucket);
    return resource && (yield* resource.updateSteps(object.metadata, changed, controllerContext(name, 'patch')));
  } catch (error) {
    if (isNotFound(error) || isConflict(error) || isInvalid(error)) return undefined;
    throw error;
  }
}
