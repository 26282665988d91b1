import { type DraftObject, copyJson, type ApiObject } from './json-object.js';
import { timestamp } from './metadata-rules.js';
import type { ResourceDefinition } from './resource-definition.js';
import { badRequest, conflict, invalid } from './status-errors.js';
import type { DeleteOptions } from './verb-options.js';

/** The finalizer that makes the garbage collector delete dependents first. */
export const foregroundFinalizer = 'foregroundDeletion';
/** The finalizer that makes the garbage collector release dependents. */
export const orphanFinalizer = 'orphan';

/** What a delete does to an object: it goes now, it is marked and waits, or it is marked already and nothing changes. */
export type DeletionPlan =
  | { readonly outcome: 'remove' }
  | { readonly outcome: 'mark'; readonly object: DraftObject }
  | { readonly outcome: 'wait' };

/** Throws 409 unless uid and resourceVersion are those asked for. */
export function checkPreconditions(live: ApiObject, definition: ResourceDefinition, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const { metadata } = live;
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`;
    throw conflict(definition, metadata.name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${metadata.resourceVersion}`;
    throw conflict(definition, metadata.name, why);
  }
}

/** Throws 422 for a propagation policy that does not exist or contradicts orphanDependents. */
export function checkDeleteOptions(options: DeleteOptions): void {
  const { propagationPolicy, orphanDependents } = options;
  const subject = { group: 'meta.k8s.io', kind: 'DeleteOptions', plural: '' };
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    const message =
      'Invalid value: "' + propagationPolicy + '": orphanDependents and deletionPropagation cannot be both set';
    throw invalid(subject, '', [{ reason: 'FieldValueInvalid', field: 'propagationPolicy', message }]);
  }
  if (propagationPolicy === undefined || ['Background', 'Foreground', 'Orphan'].includes(propagationPolicy)) return;
  const message = `Unsupported value: "${propagationPolicy}": supported values: "Background", "Foreground", "Orphan"`;
  throw invalid(subject, '', [{ reason: 'FieldValueNotSupported', field: 'propagationPolicy', message }]);
}

/** Decides what deleting the object means now; changes nothing. */
export function planDeletion(
  live: ApiObject,
  definition: ResourceDefinition,
  request: { readonly options: DeleteOptions; readonly now: Date },
): DeletionPlan {
  const { options, now } = request;
  if (options.gracePeriodSeconds !== undefined && options.gracePeriodSeconds < 0) {
    throw badRequest(`gracePeriodSeconds must be positive, not ${options.gracePeriodSeconds}`);
  }
  const graceSeconds = definition.strategy.gracefulDeletion?.(live, options.gracePeriodSeconds) ?? 0;
  const finalizers = finalizersFor(live, options);
  const waits = finalizers.length > 0 || graceSeconds > 0 || definition.strategy.holdsDeletion?.(live) === true;
  if (!waits) return { outcome: 'remove' };
  const marked = mark(live, finalizers, { graceSeconds, now });
  return marked === undefined ? { outcome: 'wait' } : { outcome: 'mark', object: marked };
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

function finalizersFor(live: ApiObject, { propagationPolicy, orphanDependents }: DeleteOptions): readonly string[] {
  const current = live.metadata.finalizers ?? [];
  const policy = propagationPolicy ?? policyOf(orphanDependents);
  if (policy === undefined) return current;
  const others = current.filter((finalizer) => finalizer !== foregroundFinalizer && finalizer !== orphanFinalizer);
  if (policy === 'Foreground') return [...others, foregroundFinalizer];
  return policy === 'Orphan' ? [...others, orphanFinalizer] : others;
}

function policyOf(orphanDependents: boolean | undefined): string | undefined {
  if (orphanDependents === undefined) return undefined;
  return orphanDependents ? 'Orphan' : 'Background';
}

function mark(
  live: ApiObject,
  finalizers: readonly string[],
  { graceSeconds, now }: { readonly graceSeconds: number; readonly now: Date },
): DraftObject | undefined {
  const object = copyJson(live) as unknown as DraftObject;
  const { metadata } = object;
  const sameFinalizers = finalizers.join() === (live.metadata.finalizers ?? []).join();
  const remaining = live.metadata.deletionGracePeriodSeconds;
  if (metadata.deletionTimestamp !== undefined) {
    if (sameFinalizers && (remaining ?? 0) <= graceSeconds) return undefined;
  } else if (metadata.generation !== undefined) {
    metadata.generation += 1;
  }
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  else delete metadata.finalizers;
  const shortened = metadata.deletionTimestamp === undefined || graceSeconds < (remaining ?? 0);
  if (shortened) {
    metadata.deletionTimestamp = timestamp(new Date(now.getTime() + graceSeconds * 1000));
    metadata.deletionGracePeriodSeconds = graceSeconds;
  }
  return object;
}
