import type { Status } from '@kubewright/api/errors';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { type ApiObject, copyJson, type DraftObject, emptyObject } from './json-object.js';
import { timestamp } from './metadata-rules.js';
import type { ResourceDefinition } from './resource-definition.js';
import { conflict, invalid } from './status-errors.js';
import type { DeleteOptions } from './verb-options.js';

/** The finalizer that makes the garbage collector delete dependents first. */
export const foregroundFinalizer = 'foregroundDeletion';
/** The finalizer that makes the garbage collector release dependents. */
export const orphanFinalizer = 'orphan';

/** What a delete does to an object: it goes now, it is marked and waits, or it is marked already and nothing changes. */
export type DeletionPlan =
  /** `last` is the state that it passes through on its way out. */
  | { readonly outcome: 'remove'; readonly last?: DraftObject }
  | { readonly outcome: 'mark'; readonly object: DraftObject }
  | { readonly outcome: 'wait' };

const policies = ['Foreground', 'Background', 'Orphan'];
/** Kinds from before the garbage collector, whose dependents stay unless the client says otherwise. */
const orphaning: ReadonlySet<string> = new Set(['/replicationcontrollers', 'batch/jobs']);
/** Kinds whose deletion answers with the object as it was, where others answer with a Status. */
const answering: ReadonlySet<string> = new Set([
  '/namespaces',
  '/persistentvolumeclaims',
  '/persistentvolumes',
  '/pods',
  '/podtemplates',
  '/resourcequotas',
  '/serviceaccounts',
  '/services',
  'resource.k8s.io/deviceclasses',
  'resource.k8s.io/devicetaintrules',
  'resource.k8s.io/resourceclaims',
  'resource.k8s.io/resourceclaimtemplates',
  'resource.k8s.io/resourceslices',
  'storage.k8s.io/csidrivers',
  'storage.k8s.io/csinodes',
  'storage.k8s.io/storageclasses',
  'storage.k8s.io/volumeattachments',
  'storage.k8s.io/volumeattributesclasses',
]);

/** Whether deleting an object of the resource answers with the object. */
export function answersWithObject({ storageBucket }: ResourceDefinition): boolean {
  return answering.has(storageBucket);
}

/** What deleting without a propagation policy is warned about, if it is. */
export function deletionWarning(
  { storageBucket }: ResourceDefinition,
  { propagationPolicy, orphanDependents }: DeleteOptions,
): string | undefined {
  if (storageBucket !== 'batch/jobs' || propagationPolicy !== undefined || orphanDependents !== undefined) {
    return undefined;
  }
  return (
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set ' +
    'propagationPolicy=Orphan to suppress this warning'
  );
}

/** Throws 409 unless uid and resourceVersion are those asked for. */
export function checkPreconditions(live: ApiObject, definition: ResourceDefinition, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const { metadata } = live;
  if (markedFirst.has(definition.storageBucket)) return checkBeforeMarking(live, definition, options);
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

/** Kinds that are marked before anything else looks at their deletion, and have words of their own for this. */
const markedFirst: ReadonlySet<string> = new Set(['/namespaces', 'apiextensions.k8s.io/customresourcedefinitions']);

function checkBeforeMarking({ metadata }: ApiObject, definition: ResourceDefinition, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const failed = (what: string, wanted: string, found: string): Error => {
    const why = `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`;
    return conflict(definition, metadata.name, why);
  };
  if (uid !== undefined && uid !== metadata.uid) throw failed('UID', uid, metadata.uid);
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw failed('ResourceVersion', resourceVersion, metadata.resourceVersion);
  }
}

/** Throws 422 for a propagation policy that does not exist or contradicts orphanDependents. */
export function checkDeleteOptions({ propagationPolicy, orphanDependents }: DeleteOptions): void {
  if (propagationPolicy === undefined) return;
  const errors: FieldError[] = [];
  if (orphanDependents !== undefined) {
    const why = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push(fieldErrors.invalid('propagationPolicy', propagationPolicy, why));
  }
  if (!policies.includes(propagationPolicy)) {
    // In the order of the server's own program, which leaves lists as they are.
    const known = [...policies, 'nil'].map((policy) => JSON.stringify(policy)).join(', ');
    const message = `Unsupported value: ${JSON.stringify(propagationPolicy)}: supported values: ${known}`;
    errors.push({ reason: 'FieldValueNotSupported', field: 'propagationPolicy', message });
  }
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions', plural: '' }, '', errors);
}

/** Decides what deleting the object means now; changes nothing. */
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
    const unchanged = metadata.deletionTimestamp !== undefined && sameNames(finalizers, current);
    if (unchanged && metadata.deletionGracePeriodSeconds === 0) return { outcome: 'wait' };
    const time = timestamp(now);
    const later = metadata.deletionTimestamp !== undefined && metadata.deletionTimestamp <= time;
    markFor(object, { seconds: 0, time: later ? (metadata.deletionTimestamp ?? time) : time });
    return { outcome: 'mark', object };
  }
  markFor(object, grace);
  return held || grace.seconds > 0 ? { outcome: 'mark', object } : { outcome: 'remove', last: object };
}

/**
 * Returns a copy whose metadata may be changed, and whose status a strategy may change. The values in the metadata and the other fields are those
 * of the object, so that no pass has to read them again.
 */
function markable(live: ApiObject, { strategy }: ResourceDefinition): DraftObject {
  const metadata = Object.assign(emptyObject(), live.metadata);
  if (strategy.prepareForDeletion === undefined || live['status'] === undefined) return { ...live, metadata };
  return { ...live, metadata, status: copyJson(live['status']) };
}

/** Whether an object that is being deleted has nothing left to wait for. */
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
  /** The deletionTimestamp. */
  readonly time: string;
}

/** How long the kind lets the object go on; undefined for kinds that do not, 'pending' when that is settled already. */
function graceOf(
  live: ApiObject,
  { strategy }: ResourceDefinition,
  { options, now }: { readonly options: DeleteOptions; readonly now: Date },
): Grace | 'pending' | undefined {
  if (strategy.gracefulDeletion === undefined) return undefined;
  const { deletionTimestamp, deletionGracePeriodSeconds: left = 0 } = live.metadata;
  const asked = options.gracePeriodSeconds;
  const requested = asked !== undefined && asked < 0 ? 1 : asked;
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

/** The first mark counts as a change of what is wanted. */
function markFor({ metadata }: DraftObject, { seconds, time }: Grace): void {
  if (metadata.deletionTimestamp === undefined && metadata.generation !== undefined) metadata.generation += 1;
  metadata.deletionTimestamp = time;
  metadata.deletionGracePeriodSeconds = seconds;
}

function finalizersFor(
  current: readonly string[],
  { storageBucket }: ResourceDefinition,
  { propagationPolicy, orphanDependents }: DeleteOptions,
): readonly string[] {
  const policy = orphanDependents === undefined ? propagationPolicy : orphanDependents ? 'Orphan' : 'Background';
  const chosen = policy ?? policyOf(current) ?? (orphaning.has(storageBucket) ? 'Orphan' : 'Background');
  const others = current.filter((finalizer) => finalizer !== foregroundFinalizer && finalizer !== orphanFinalizer);
  const next = [...others];
  if (chosen === 'Orphan') next.push(orphanFinalizer);
  if (chosen === 'Foreground') next.push(foregroundFinalizer);
  return sameNames(next, current) ? current : next;
}

/** What the finalizers of an object say of its dependents, if they do. */
function policyOf(finalizers: readonly string[]): string | undefined {
  const own = finalizers.find((finalizer) => finalizer === orphanFinalizer || finalizer === foregroundFinalizer);
  if (own === undefined) return undefined;
  return own === orphanFinalizer ? 'Orphan' : 'Foreground';
}

/** Whether two lists have the same names, in any order. Takes linear time. */
function sameNames(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  const names = new Set(right);
  return left.every((name) => names.has(name));
}

/** Returns the answer to a deletion, without the object. */
export function goneStatus({ metadata }: ApiObject, definition: ResourceDefinition): Status {
  const { group, plural } = definition;
  const details = { name: metadata.name, ...(group === '' ? {} : { group }), kind: plural, uid: metadata.uid };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details } as Status;
}
