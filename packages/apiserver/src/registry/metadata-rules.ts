import { randomUUID } from 'node:crypto';
import { generateName } from '@kubewright/api/names';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { ApiObject, DraftObject } from './json-object.js';
import type { RequestContext } from './request-context.js';
import type { ResourceDefinition } from './resource-definition.js';
import { badRequest } from './status-errors.js';
import type { ResourceKey } from './verb-options.js';

/** An RFC 3339 time with seconds, as Kubernetes writes `metav1.Time`. */
export function timestamp(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** Takes name and namespace from the request's path where the object leaves them out; 400 where they differ. */
export function bindToPath(draft: DraftObject, definition: ResourceDefinition, key: Partial<ResourceKey>): void {
  const { metadata } = draft;
  if (definition.namespaced) {
    if (key.namespace !== undefined) {
      metadata.namespace ??= key.namespace;
      if (metadata.namespace !== key.namespace) {
        throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
      }
    }
    if (metadata.namespace === undefined) throw badRequest('an empty namespace may not be set during creation');
  } else {
    delete metadata.namespace;
  }
  if (key.name !== undefined) {
    metadata.name ??= key.name;
    if (metadata.name !== key.name) {
      throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${key.name})`);
    }
  }
}

/** Gives a new object what only the server may give: name from generateName, uid, creation time; forgets deletion. */
export function fillNewMetadata(draft: DraftObject, now: Date): void {
  const { metadata } = draft;
  if (metadata.name === undefined && metadata.generateName !== undefined) {
    metadata.name = generateName(metadata.generateName);
  }
  metadata.uid = randomUUID();
  metadata.creationTimestamp = timestamp(now);
  delete metadata.resourceVersion;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
}

/** Carries over what an update may leave out. */
export function keepMetadata(draft: DraftObject, old: ApiObject, { operation }: RequestContext): void {
  const { metadata } = draft;
  metadata.uid ??= old.metadata.uid;
  metadata.creationTimestamp = old.metadata.creationTimestamp;
  metadata.resourceVersion = old.metadata.resourceVersion;
  keepDeletion(metadata, old);
  keep(metadata, 'generation', old);
  if (metadata.generateName === undefined) keep(metadata, 'generateName', old);
  // An apply that gives everything up leaves no manager.
  if (metadata.managedFields === undefined && operation !== 'Apply') keep(metadata, 'managedFields', old);
}

/** A deletion cannot be undone or put off by an update; that it cannot be begun by one is a rule of its own. */
function keepDeletion(metadata: DraftObject['metadata'], { metadata: old }: ApiObject): void {
  if (old.deletionTimestamp !== undefined) metadata.deletionTimestamp = old.deletionTimestamp;
  if (old.deletionGracePeriodSeconds !== undefined) {
    metadata.deletionGracePeriodSeconds ??= old.deletionGracePeriodSeconds;
  }
}

function keep<K extends keyof ApiObject['metadata']>(
  metadata: DraftObject['metadata'],
  field: K,
  old: ApiObject,
): void {
  if (old.metadata[field] === undefined) delete metadata[field];
  else metadata[field] = old.metadata[field];
}

const immutable = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

/** What an update checks once more of the metadata as such. */
const checkedAgain = /^metadata\.(labels|annotations|ownerReferences|managedFields)\b/;

/** What an update may not do to metadata; `faults` is what is wrong with the new metadata as such. */
export function metadataUpdateErrors(
  next: ApiObject,
  old: ApiObject,
  faults: readonly FieldError[],
): readonly FieldError[] {
  const errors: FieldError[] = [...finalizerErrors(next, old)];
  for (const field of immutable) {
    if (next.metadata[field] !== old.metadata[field]) {
      errors.push(fieldErrors.invalid(`metadata.${field}`, next.metadata[field] ?? null, 'field is immutable'));
    }
  }
  return [...errors, ...faults.filter(({ field }) => checkedAgain.test(field))];
}

const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** The finalizers of built-in kinds are Kubernetes' own, or have a domain. */
export function finalizerNameErrors({ metadata }: ApiObject): readonly FieldError[] {
  const why = 'name is neither a standard finalizer name nor is it fully qualified';
  return (metadata.finalizers ?? []).flatMap((name, at) =>
    name.includes('/') || standardFinalizers.has(name)
      ? []
      : [fieldErrors.invalid(`metadata.finalizers[${at}]`, name, why)],
  );
}

function finalizerErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  if (old.metadata.deletionTimestamp === undefined) return [];
  const before = new Set(old.metadata.finalizers ?? []);
  const added = (next.metadata.finalizers ?? []).filter((finalizer) => !before.has(finalizer));
  if (added.length === 0) return [];
  const shown = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
  const why = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${shown}}`;
  return [fieldErrors.forbidden('metadata.finalizers', why)];
}
