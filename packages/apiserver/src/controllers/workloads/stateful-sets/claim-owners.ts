import type { ApiObject, OwnerReference } from '../../../registry/objects/api-object.js';
import { objectAt, stringAt } from '../../../registry/objects/json-object.js';
import { controllerReference } from '../../objects/controller-reference.js';
import { ordinalOf, ordinalsOf } from './stateful-set-identity.js';

/** A StatefulSet, one of its Pods and a claim of the Pod. */
export interface OwnedClaim {
  readonly set: ApiObject;
  readonly pod: ApiObject;
  readonly claim: ApiObject;
}

/** The fields that identify an object. */
interface IdentifiedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly uid: string };
}

/** Returns when the set deletes the claims of its Pods. The default is `Retain`. */
export function retentionPolicy(set: ApiObject): { readonly whenScaled: string; readonly whenDeleted: string } {
  const policy = objectAt(set, 'spec', 'persistentVolumeClaimRetentionPolicy');
  return {
    whenScaled: stringAt(policy, 'whenScaled') || 'Retain',
    whenDeleted: stringAt(policy, 'whenDeleted') || 'Retain',
  };
}

/**
 * Returns the owner references that a claim must have according to the retention policy of the set, or undefined if the claim already has
 * these references. The references of a claim with another controller do not contain the set and the Pod. Returns undefined for a claim of
 * a deleted set or Pod with the same name, because the garbage collector deletes this claim.
 */
export function neededOwners(owned: OwnedClaim): readonly OwnerReference[] | undefined {
  const { set, pod, claim } = owned;
  const known = claim.metadata.ownerReferences ?? [];
  if (hasStaleOwner(claim, set) || hasStaleOwner(claim, pod)) return undefined;
  const desired = hasOtherController(owned) ? [] : desiredOwners(set, pod);
  const own = known.filter(({ uid }) => uid === set.metadata.uid || uid === pod.metadata.uid);
  const isCurrent =
    own.length === desired.length &&
    own.every(({ uid, controller }) => controller === true && desired.some(({ metadata }) => metadata.uid === uid));
  if (isCurrent) return undefined;
  const others = known.filter((reference) => !refersTo(reference, set) && !refersTo(reference, pod));
  return [...others, ...desired.map(controllerReference)];
}

/** Whether the retention policy does not apply to a claim, because another object is its controller. */
export function hasOtherController({ set, pod, claim }: OwnedClaim): boolean {
  const { whenScaled, whenDeleted } = retentionPolicy(set);
  if (whenScaled === 'Retain' && whenDeleted === 'Retain') return false;
  return (claim.metadata.ownerReferences ?? []).some((reference) => {
    const own = [set, pod].find((object) => refersTo(reference, object));
    return own === undefined ? reference.controller === true : own.metadata.uid !== reference.uid;
  });
}

/** Whether an earlier object with the kind and the name of the given object owns the claim. */
export function hasStaleOwner(claim: ApiObject, object: IdentifiedObject): boolean {
  const reference = claim.metadata.ownerReferences?.find((found) => refersTo(found, object));
  return reference !== undefined && reference.uid !== object.metadata.uid;
}

function desiredOwners(set: ApiObject, pod: ApiObject): readonly ApiObject[] {
  const { whenScaled, whenDeleted } = retentionPolicy(set);
  const { first, end } = ordinalsOf(set);
  const ordinal = ordinalOf(set, pod);
  if (whenScaled === 'Delete' && (ordinal < first || ordinal >= end)) return [pod];
  return whenDeleted === 'Delete' ? [set] : [];
}

function refersTo(reference: OwnerReference, { apiVersion, kind, metadata }: IdentifiedObject): boolean {
  return reference.apiVersion === apiVersion && reference.kind === kind && reference.name === metadata.name;
}
