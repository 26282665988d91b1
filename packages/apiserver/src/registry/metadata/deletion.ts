import type { Status } from '@kubewright/api/errors';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { ApiObject, DraftObject } from '../objects/api-object.js';
import { copyJson, emptyObject, objectAt } from '../objects/json-object.js';
import { timestamp } from './metadata-rules.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';
import { conflict, invalid } from '../requests/status-errors.js';
import type { RequestContext } from '../requests/request-context.js';
import type { DeleteOptions, ResourceKey } from '../requests/verb-options.js';

/** The finalizer that makes the garbage collector delete the dependents before the object. */
export const foregroundFinalizer = 'foregroundDeletion';
/** The finalizer that makes the garbage collector orphan the dependents instead of deleting them. */
export const orphanFinalizer = 'orphan';

/**
 * The effect of a delete: the object is removed, the object is marked for deletion, or the object is marked already and does not change.
 */
export type DeletionPlan =
  /** `last` is the last state of an object with graceful deletion before the removal; undefined for other objects. */
  | { readonly outcome: 'remove'; readonly last?: DraftObject }
  | { readonly outcome: 'mark'; readonly object: DraftObject }
  | { readonly outcome: 'wait' };

const policies = ['Foreground', 'Background', 'Orphan'];

/** Whether a delete of an object returns the object instead of a Status. */
export function answersWithObject({ strategy }: ResourceDefinition): boolean {
  return strategy.deletionRules?.returnsObject === true;
}

/** Returns the warning of the kind if the delete sets neither a propagation policy nor orphanDependents. Returns undefined otherwise. */
export function deletionWarning(
  { strategy }: ResourceDefinition,
  { propagationPolicy, orphanDependents }: DeleteOptions,
): string | undefined {
  const isSelected = propagationPolicy !== undefined || orphanDependents !== undefined;
  return isSelected ? undefined : strategy.deletionRules?.warning;
}

/** Throws 409 if the uid or the resourceVersion of the object differs from the preconditions. */
export function checkPreconditions(live: ApiObject, definition: ResourceDefinition, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const { metadata } = live;
  if (definition.strategy.deletionRules?.setsDeletionTimestampFirst)
    return checkBeforeMarking(live, definition, options);
  const subject = { ...definition, plural: definition.kind };
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(subject, metadata.name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(subject, metadata.name, why);
  }
}

function checkBeforeMarking({ metadata }: ApiObject, definition: ResourceDefinition, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const failed = (what: string, desired: string, found: string): Error => {
    const why = `Precondition failed: ${what} in precondition: ${desired}, ${what} in object meta: ${found}`;
    return conflict(definition, metadata.name, why);
  };
  if (uid !== undefined && uid !== metadata.uid) throw failed('UID', uid, metadata.uid);
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw failed('ResourceVersion', resourceVersion, metadata.resourceVersion);
  }
}

/** Throws 422 for an unknown propagation policy, and for a propagation policy together with orphanDependents. */
export function checkDeleteOptions({ propagationPolicy, orphanDependents }: DeleteOptions): void {
  if (propagationPolicy === undefined) return;
  const errors: FieldError[] = [];
  if (orphanDependents !== undefined) {
    const why = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push(fieldErrors.invalid('propagationPolicy', propagationPolicy, why));
  }
  if (!policies.includes(propagationPolicy)) {
    // kube-apiserver does not sort this list.
    const known = [...policies, 'nil'].map((policy) => JSON.stringify(policy)).join(', ');
    const message = `Unsupported value: ${JSON.stringify(propagationPolicy)}: supported values: ${known}`;
    errors.push({ reason: 'FieldValueNotSupported', field: 'propagationPolicy', message });
  }
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions', plural: '' }, '', errors);
}

/**
 * Whether the object is already being deleted and a delete with these options changes nothing. No policy or webhook reviews such a delete.
 */
export function isDeletionPending(
  live: ApiObject,
  definition: ResourceDefinition,
  { options, now }: { readonly options: DeleteOptions; readonly now: Date },
): boolean {
  return graceOf(live, definition, { options, now }) === 'pending';
}

/**
 * Returns the object for the second review of a deletion. As in kube-apiserver, the deletion of some objects has two reviews: one before
 * the object is marked for deletion, and one before the marked object is removed. Returns undefined if the deletion has only one review.
 */
export function reviewedAgain(plan: DeletionPlan, live: ApiObject): ApiObject | undefined {
  if (plan.outcome !== 'remove') return undefined;
  return plan.last ?? ((live.metadata.finalizers ?? []).length > 0 ? live : undefined);
}

/**
 * Returns the name and the context of a delete, as a review contains them. As in kube-apiserver, the options contain the grace period of an
 * object with graceful deletion, and the UID of a Namespace or of a CustomResourceDefinition. If the request deletes a collection, the name
 * is empty and the options are unchanged for each object.
 */
export function reviewedDelete(
  live: ApiObject,
  { name }: ResourceKey,
  { definition, context }: { readonly definition: ResourceDefinition; readonly context: RequestContext },
): { readonly name: string; readonly context: RequestContext } {
  if (context.verb === 'deletecollection') return { name: '', context };
  const { options = {} } = context;
  const requested = options['gracePeriodSeconds'];
  const given = typeof requested === 'number' && requested < 0 ? 1 : requested;
  const gracePeriodSeconds = reviewedGrace(live, definition, typeof given === 'number' ? given : undefined);
  const added = {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(definition.strategy.deletionRules?.setsDeletionTimestampFirst
      ? { preconditions: { uid: live.metadata.uid, ...objectAt(options, 'preconditions') } }
      : {}),
  };
  return { name, context: { ...context, options: { ...options, ...added } } };
}

function reviewedGrace(
  live: ApiObject,
  { strategy }: ResourceDefinition,
  requested: number | undefined,
): number | undefined {
  return live.metadata.deletionTimestamp === undefined ? strategy.gracefulDeletion?.(live, requested) : requested;
}

/** Returns the effect of a delete on the object. Does not change the object. */
export function planDeletion(
  live: ApiObject,
  definition: ResourceDefinition,
  { options, now }: { readonly options: DeleteOptions; readonly now: Date },
): DeletionPlan {
  const grace = graceOf(live, definition, { options, now });
  if (grace === 'pending') return { outcome: 'wait' };
  const object = markable(live, definition);
  const { metadata } = object;
  const current = live.metadata.finalizers ?? [];
  const finalizers = finalizersFor(current, definition, options);
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  else delete metadata.finalizers;
  const held = finalizers.length > 0 || definition.strategy.holdsDeletion?.(live) === true;
  if (grace === undefined) {
    if (!held) return { outcome: 'remove' };
    const unchanged = metadata.deletionTimestamp !== undefined && finalizers === current;
    if (unchanged && metadata.deletionGracePeriodSeconds === 0) return { outcome: 'wait' };
    const time = timestamp(now);
    const later = metadata.deletionTimestamp !== undefined && metadata.deletionTimestamp <= time;
    setDeletionTimestamp(object, { seconds: 0, time: later ? (metadata.deletionTimestamp ?? time) : time });
    return { outcome: 'mark', object };
  }
  setDeletionTimestamp(object, grace);
  return held || grace.seconds > 0 ? { outcome: 'mark', object } : { outcome: 'remove', last: object };
}

/**
 * Returns a copy with writable metadata, and with a writable status if the strategy changes the status. The copy shares all other values
 * with the object, so later steps do not check and freeze these values again.
 */
function markable(live: ApiObject, { strategy }: ResourceDefinition): DraftObject {
  const metadata = Object.assign(emptyObject(), live.metadata);
  if (strategy.prepareForDeletion === undefined || live['status'] === undefined) return { ...live, metadata };
  return { ...live, metadata, status: copyJson(live['status']) };
}

/**
 * Whether an object can be removed: the object has a deletionTimestamp, no finalizers and no remaining grace period, and the kind does not
 * delay the removal.
 */
export function isDeletionComplete(object: ApiObject, definition: ResourceDefinition): boolean {
  const { metadata } = object;
  return (
    metadata.deletionTimestamp !== undefined &&
    (metadata.finalizers ?? []).length === 0 &&
    (metadata.deletionGracePeriodSeconds ?? 0) === 0 &&
    definition.strategy.holdsDeletion?.(object) !== true
  );
}

interface Grace {
  readonly seconds: number;
  /** The deletionTimestamp to set. */
  readonly time: string;
}

/**
 * Returns the grace period of the deletion. Returns undefined if no grace period applies, and 'pending' if the object is being deleted and
 * the request does not shorten its grace period.
 */
function graceOf(
  live: ApiObject,
  { strategy }: ResourceDefinition,
  { options, now }: { readonly options: DeleteOptions; readonly now: Date },
): Grace | 'pending' | undefined {
  if (strategy.gracefulDeletion === undefined) return undefined;
  const { deletionTimestamp, deletionGracePeriodSeconds: left = 0 } = live.metadata;
  const given = options.gracePeriodSeconds;
  const requested = given !== undefined && given < 0 ? 1 : given;
  if (deletionTimestamp === undefined) {
    const seconds = strategy.gracefulDeletion(live, requested);
    return seconds === undefined ? undefined : { seconds, time: timestamp(new Date(now.getTime() + seconds * 1000)) };
  }
  if (left === 0) return undefined;
  if (requested === undefined || requested >= left) return 'pending';
  const end = Date.parse(deletionTimestamp) + (requested - left) * 1000;
  if (end >= now.getTime()) return { seconds: requested, time: timestamp(new Date(end)) };
  return { seconds: Math.min(requested, 1), time: timestamp(now) };
}

/** Sets the deletionTimestamp and the deletionGracePeriodSeconds. Increments the generation if the object has no deletionTimestamp yet. */
function setDeletionTimestamp({ metadata }: DraftObject, { seconds, time }: Grace): void {
  if (metadata.deletionTimestamp === undefined && metadata.generation !== undefined) metadata.generation += 1;
  metadata.deletionTimestamp = time;
  metadata.deletionGracePeriodSeconds = seconds;
}

/** Returns the finalizers after a delete: the given list if the names do not change, or a new list. */
function finalizersFor(
  current: readonly string[],
  { strategy }: ResourceDefinition,
  { propagationPolicy, orphanDependents }: DeleteOptions,
): readonly string[] {
  const policy = orphanDependents === undefined ? propagationPolicy : orphanDependents ? 'Orphan' : 'Background';
  const selected = policy ?? policyOf(current) ?? (strategy.deletionRules?.orphans ? 'Orphan' : 'Background');
  const others = current.filter((finalizer) => finalizer !== foregroundFinalizer && finalizer !== orphanFinalizer);
  const next = [...others];
  if (selected === 'Orphan') next.push(orphanFinalizer);
  if (selected === 'Foreground') next.push(foregroundFinalizer);
  return sameNames(next, current) ? current : next;
}

/** Returns the propagation policy that the finalizers of the object select, or undefined. */
function policyOf(finalizers: readonly string[]): string | undefined {
  const own = finalizers.find((finalizer) => finalizer === orphanFinalizer || finalizer === foregroundFinalizer);
  if (own === undefined) return undefined;
  return own === orphanFinalizer ? 'Orphan' : 'Foreground';
}

/** Whether two lists contain the same names, regardless of order and repetitions. Takes linear time. */
function sameNames(left: readonly string[], right: readonly string[]): boolean {
  const leftNames = new Set(left);
  const rightNames = new Set(right);
  return leftNames.size === rightNames.size && left.every((name) => rightNames.has(name));
}

/** Returns the Status for a completed deletion. */
export function deletedStatus({ metadata }: ApiObject, definition: ResourceDefinition): Status {
  const { group, plural } = definition;
  const details = { name: metadata.name, ...(group === '' ? {} : { group }), kind: plural, uid: metadata.uid };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details } as Status;
}
