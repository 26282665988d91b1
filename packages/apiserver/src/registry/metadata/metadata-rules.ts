import type { Random } from '@kubewright/api/clock';
import { generateName } from '@kubewright/api/names';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { ApiObject, DraftObject, IncomingObject } from '../objects/api-object.js';
import type { RequestContext } from '../requests/request-context.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';
import { badRequest } from '../requests/status-errors.js';
import type { ResourceKey } from '../requests/verb-options.js';

/** Formats a time as `metav1.Time`: RFC 3339 with seconds. */
export function timestamp(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/**
 * Sets the name and the namespace from the request path if the object omits them. Removes the namespace of a cluster-scoped object. Throws
 * 400 if the name or the namespace differs from the path, or if the namespace is missing.
 */
export function bindToPath(draft: IncomingObject, definition: ResourceDefinition, key: Partial<ResourceKey>): void {
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

/**
 * Removes the uid, the creationTimestamp and the deletion fields of a new object, because only the server sets these fields. The
 * resourceVersion remains until `fillNewMetadata`.
 */
export function wipeNewMetadata({ metadata }: IncomingObject): void {
  delete metadata.uid;
  delete metadata.creationTimestamp;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
}

/** The time at which an object is created, and the source of its uid and its generated name. */
export interface CreationOptions {
  readonly now: Date;
  readonly random: Random;
}

/**
 * Sets the metadata that only the server sets on a new object: uid, creationTimestamp, and a name from generateName. Removes the
 * resourceVersion.
 */
export function fillNewMetadata(draft: IncomingObject, { now, random }: CreationOptions): void {
  const { metadata } = draft;
  if (metadata.name === undefined && metadata.generateName !== undefined) {
    metadata.name = generateName(metadata.generateName, random.number);
  }
  metadata.uid = random.uuid();
  metadata.creationTimestamp = timestamp(now);
  delete metadata.resourceVersion;
}

/**
 * Sets a missing name to the empty string, which validation reports as missing. The caller must call `fillNewMetadata` before this
 * function.
 */
export function completeName(draft: IncomingObject): asserts draft is DraftObject {
  draft.metadata.name ??= '';
}

/** Restores the managedFields if an update omits them. The caller must call `bindToPath` before this function. */
export function keepManagers({ metadata }: IncomingObject, old: ApiObject, { operation }: RequestContext): void {
  // If an apply releases all fields, managedFields stays unset.
  if (metadata.managedFields === undefined && operation !== 'Apply') keep(metadata, 'managedFields', old);
}

/** Restores the metadata that an update can omit or cannot change. The caller must call `bindToPath` before this function. */
export function keepMetadata(draft: IncomingObject, old: ApiObject): asserts draft is DraftObject {
  const { metadata } = draft;
  metadata.uid ??= old.metadata.uid;
  metadata.creationTimestamp = old.metadata.creationTimestamp;
  metadata.resourceVersion = old.metadata.resourceVersion;
  keepDeletion(metadata, old);
  keep(metadata, 'generation', old);
}

/**
 * Restores the deletion fields, because an update cannot cancel or delay a deletion. `metadataUpdateErrors` refuses an update that starts a
 * deletion.
 */
function keepDeletion(metadata: IncomingObject['metadata'], { metadata: old }: ApiObject): void {
  if (old.deletionTimestamp !== undefined) metadata.deletionTimestamp = old.deletionTimestamp;
  if (old.deletionGracePeriodSeconds !== undefined) {
    metadata.deletionGracePeriodSeconds ??= old.deletionGracePeriodSeconds;
  }
}

function keep<K extends keyof ApiObject['metadata']>(
  metadata: IncomingObject['metadata'],
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

/** The metadata fields that an update validates a second time. */
const checkedAgain = /^metadata\.(labels|annotations|ownerReferences|managedFields)\b/;

/**
 * Returns the errors of a metadata update. `faults` contains the errors of the new metadata itself. The result repeats the errors in the
 * fields that an update validates a second time.
 */
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

/**
 * Returns the errors of finalizer names in built-in kinds. A name must be a standard finalizer of Kubernetes or contain a slash, such as
 * `example.com/cleanup`.
 */
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
