import { finish, withBreak, type Steps } from '@kubewright/api/apply';
import type { Clock } from '@kubewright/api/clock';
import { isAlreadyExists, type Status } from '@kubewright/api/errors';
import type { Store } from '../storage/store.js';
import type { Admission } from './admission/admission.js';
import type { AdmissionRequest } from './admission/admission-check.js';
import { blankObject } from './definitions/blank-object.js';
import { decodeSteps } from './decoding/decode.js';
import {
  answersWithObject,
  checkDeleteOptions,
  checkPreconditions,
  deletionWarning,
  deletedStatus,
  isDeletionComplete,
  isDeletionPending,
  planDeletion,
  reviewedAgain,
  reviewedDelete,
} from './metadata/deletion.js';
import { completeDraft } from './decoding/go-form.js';
import type { ApiObject, DraftObject, IncomingObject, JsonObject } from './objects/api-object.js';
import { checkResourceVersion, listSteps } from './listing/listing.js';
import {
  bindToPath,
  fillNewMetadata,
  keepManagers,
  keepMetadata,
  timestamp,
  wipeNewMetadata,
} from './metadata/metadata-rules.js';
import { missing } from './writing/missing.js';
import { dryRunAnswer, rejectVersion } from './writing/new-version.js';
import { areCurrent, type Current, type PreparedUpdate, writeAll } from './admission/prepared-update.js';
import type { RequestContext } from './requests/request-context.js';
import type { ResourceDefinition } from './definitions/resource-definition.js';
import { rejectDeclaredKind } from './decoding/declared-kind.js';
import { readScale, replicasPaths, reviewedScale, scaleKind } from './scale/scale.js';
import { scaledObject } from './scale/scaled-object.js';
import type { BuiltInResource, ServedResources } from './admission/served-resources.js';
import { releasing } from './definitions/strategy.js';
import { addWarnings, prepareNew, preparedUpdate } from './writing/prepare-draft.js';
import { settleDraft } from './writing/settle-draft.js';
import { manageDraft, trackDraft } from './writing/track-draft.js';
import { checkServed, checkUid, checkVersion } from './writing/optimistic-lock.js';
import { readAgain, readStored, storedForm } from './writing/stored-form.js';
import { isUnchanged, shownResult, writtenForm, writtenResult } from './writing/write-result.js';
import { absent, alreadyExists, failure } from './requests/status-errors.js';
import { versionOptionFault } from './requests/version-fault.js';
import { fillDefaults } from './writing/update-rules.js';
import { createErrors, reject, updateErrors } from './writing/validation.js';
import type { DeleteOptions, ListOptions, ListResult, ResourceKey } from './requests/verb-options.js';

const nameAttempts = 8;

/**
 * Implements the verbs of one resource in one version, without HTTP. Methods without `Steps` in their names are synchronous, so no other
 * request runs between a read and the dependent write, and no policy or webhook reviews the write. The `…Steps` methods validate a write in
 * several turns of the event loop, and write in the last turn if the object has not changed.
 */
export class Resource implements BuiltInResource {
  readonly definition: ResourceDefinition;
  readonly #registry: ServedResources;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #admission: Admission;

  constructor(
    definition: ResourceDefinition,
    { registry, admission }: { readonly registry: ServedResources; readonly admission: Admission },
  ) {
    this.definition = definition;
    this.#registry = registry;
    this.#store = registry.store;
    this.#clock = registry.clock;
    this.#admission = admission;
  }

  /** Creates an object. `key` contains the name and namespace in the request path. */
  create(input: unknown, context: RequestContext, key: Partial<ResourceKey> = {}): ApiObject {
    return finish(this.createSteps(input, { ...context, unreviewed: true }, key));
  }

  /** Creates an object in steps. The last step writes the object. */
  *createSteps(input: unknown, context: RequestContext, key: Partial<ResourceKey> = {}): Steps<ApiObject> {
    const generated = context.dryRun ? 1 : nameAttempts;
    for (let attempt = 1; ; attempt += 1) {
      const draft = yield* decodeSteps(input, this.definition, context);
      yield;
      const named = draft.metadata.name !== undefined || key.name !== undefined;
      try {
        return yield* releasing(this.definition.strategy, draft.metadata, this.#createOnce(draft, context, key));
      } catch (error) {
        if (named || attempt >= generated || !isAlreadyExists(error)) throw error;
      }
    }
  }

  /** Returns the object. Throws 404 if the object does not exist. */
  get(key: ResourceKey): ApiObject {
    return this.present(this.stored(key));
  }

  /** Returns the stored object. Throws 404 if the object does not exist. */
  stored(key: ResourceKey): ApiObject {
    const stored = this.#store.get(this.definition.storageBucket, key);
    if (stored === undefined) throw absent(this.definition, key.name);
    return stored;
  }

  /** Whether the object exists. */
  has(key: ResourceKey): boolean {
    return this.#store.get(this.definition.storageBucket, key) !== undefined;
  }

  /** Returns the object, or undefined if the object does not exist. */
  find(key: ResourceKey): ApiObject | undefined {
    const stored = this.#store.get(this.definition.storageBucket, key);
    return stored === undefined ? undefined : this.present(stored);
  }

  /** Throws 500 if the resourceVersion of a read is not a number. Throws an UnreachedVersionError for a resourceVersion in the future. */
  checkReached(version: string): void {
    const fault = versionOptionFault(version);
    if (fault !== undefined) throw failure(500, '', { message: fault });
    checkResourceVersion(version, this.#store.resourceVersion);
  }

  list(options: ListOptions = {}): ListResult {
    return finish(this.listSteps(options));
  }

  /** Lists objects in steps. The list shows the state at the first step. */
  listSteps(options: ListOptions): Steps<ListResult> {
    return listSteps(this.#store, this.definition, options);
  }

  /** Converts a stored object to the version of this resource. Throws 500 if a webhook has to convert the object first. */
  present(stored: ApiObject): ApiObject {
    return this.definition.fromStored(stored);
  }

  /**
   * Replaces the object, or its status, with the result of the updater. An update without changes is not written. If the update removes the
   * last finalizer of an object that is being deleted, the object is removed.
   */
  update(key: ResourceKey, updater: (live: ApiObject) => unknown, context: RequestContext): ApiObject {
    return finish(this.updateSteps(key, withBreak(updater), { ...context, unreviewed: true }));
  }

  /**
   * Updates an object like `update`, in steps. The last step writes. If the object has changed by then, the update starts again. If the
   * object does not exist, creates the object if the kind allows this, and otherwise throws 404.
   */
  *updateSteps(
    key: ResourceKey,
    updater: (live: ApiObject) => Steps<unknown>,
    context: RequestContext,
  ): Steps<ApiObject> {
    const updated = yield* this.#update(key, updater, context);
    if (updated !== undefined) return updated;
    const kind = this.definition;
    if (!kind.strategy.allowCreateOnUpdate) throw missing(kind, key, { kind, updater, context });
    return yield* this.createSteps(yield* updater(blankObject(kind, key)), context, key);
  }

  /** Returns the updated object, or undefined if the object does not exist. */
  *#update(
    key: ResourceKey,
    updater: (live: ApiObject) => Steps<unknown>,
    context: RequestContext,
  ): Steps<ApiObject | undefined> {
    const { strategy, storageBucket } = this.definition;
    const warned = context.warnings.length;
    for (;;) {
      const stored = this.#store.get(storageBucket, key);
      if (stored === undefined) return undefined;
      const update = yield* releasing(strategy, stored.metadata, this.#prepareUpdate(stored, updater, context));
      if (update.isCurrent()) return yield* shownResult(update.write(), this.definition);
      context.warnings.length = warned;
    }
  }

  /** Validates and completes an update in steps, but does not write the update. Throws 404 if the object does not exist. */
  prepareUpdateSteps(
    key: ResourceKey,
    updater: (live: ApiObject) => unknown,
    context: RequestContext,
  ): Steps<PreparedUpdate> {
    return this.#prepareUpdate(this.stored(key), withBreak(updater), context);
  }

  *#prepareUpdate(
    stored: ApiObject,
    updater: (live: ApiObject) => Steps<unknown>,
    context: RequestContext,
  ): Steps<PreparedUpdate> {
    const { definition } = this;
    const begun = this.#store.resourceVersion;
    const live = yield* readStored(stored, definition);
    const given = yield* updater(live);
    yield;
    const draft = yield* decodeSteps(given, definition, context);
    bindToPath(draft, definition, live.metadata);
    if (context.verb === 'update') checkUid(definition, live.metadata, draft.metadata.uid);
    keepManagers(draft, live, context);
    yield* fillDefaults(draft, definition, context);
    yield;
    yield* manageDraft(draft, live, this.#tracking(context));
    yield;
    const { metadata: key } = live;
    const sent = { operation: 'UPDATE', key, name: key.name, old: live, unreadable: {}, context } as const;
    // For the scale subresource, mutating policies and webhooks review the Scale instead of the object, in the updater.
    const isMutated =
      context.subresource !== 'scale' && (yield* this.#admission.mutate(this.#request({ ...sent, object: draft })));
    bindToPath(draft, definition, { namespace: key.namespace });
    checkVersion(draft, live, definition);
    if (definition.custom) rejectDeclaredKind(draft.kind === definition.kind ? given : draft, definition);
    keepMetadata(draft, live);
    const next = preparedUpdate(draft, live, { definition, context: { ...context, now: this.#clock.now() } });
    yield;
    const errors = yield* updateErrors(next, live, { definition, context });
    yield* reject(definition, next.metadata.name, errors);
    addWarnings(next, live, { definition, context });
    yield;
    completeDraft(next, definition);
    yield;
    const scaled =
      context.subresource === 'scale' ? reviewedScale(next, live, { definition, kind: this.scaleDefinition }) : {};
    const request = this.#request({ ...sent, object: next, ...scaled });
    yield* this.#admission.validate(request);
    settleDraft(next, definition, { isMutated });
    const charges = yield* this.#admission.charge(request);
    yield;
    const update = yield* this.#prepareReplacement({ stored, live }, next, context);
    return {
      isCurrent: () => update.isCurrent() && areCurrent(charges),
      write: () => {
        checkServed(this.#registry, this.definition, begun);
        this.#admission.checkLast(request);
        if (!context.dryRun) writeAll(charges);
        return update.write();
      },
    };
  }

  /** Prepares the replacement of an object with a complete object. Throws 413 if the object has too many values. */
  *#prepareReplacement({ stored, live }: Current, next: ApiObject, context: RequestContext): Steps<PreparedUpdate> {
    const { definition } = this;
    const isSame = isUnchanged(next, { stored, live }, definition);
    const isRemoved = isDeletionComplete(next, definition);
    yield;
    const isStored = !isSame && !isRemoved && !context.dryRun;
    const form = isStored || (context.dryRun && !isSame) ? yield* writtenForm(next, definition, context) : next;
    if (isStored) yield* this.#store.prepareSteps(form);
    return {
      isCurrent: () => this.#store.get(definition.storageBucket, live.metadata) === stored,
      write: () => {
        if (isStored) return this.#write(form, live);
        if (isSame) return live;
        if (!context.dryRun) this.#remove(live.metadata);
        return form;
      },
    };
  }

  /** Creates an object for a controller inside the server. Sets the uid and the creationTimestamp. Does not validate the object. */
  add(object: object, context: RequestContext): ApiObject {
    const draft = object as DraftObject;
    fillNewMetadata(draft, { now: this.#clock.now(), random: this.#clock.random });
    completeDraft(draft, this.definition);
    const tracked = finish(trackDraft(draft, undefined, this.#tracking(context)));
    const stored = finish(storedForm(tracked, this.definition));
    return this.present(this.#store.create(this.definition.storageBucket, stored));
  }

  /** Replaces the object for a controller inside the server. Does not validate the new object. Retries like `updateSteps`. */
  *replaceSteps(key: ResourceKey, change: (live: ApiObject) => ApiObject, context: RequestContext): Steps<ApiObject> {
    for (;;) {
      const stored = this.stored(key);
      const live = yield* readStored(stored, this.definition);
      const changed = change(live);
      if (changed === live) return live;
      const next =
        context.subresource === 'binding' ? changed : yield* trackDraft(changed, live, this.#tracking(context));
      yield;
      const update = yield* this.#prepareReplacement({ stored, live }, next, context);
      if (update.isCurrent()) return yield* shownResult(update.write(), this.definition);
    }
  }

  /** Returns the autoscaling/v1 Scale of the object. */
  getScale(key: ResourceKey): ApiObject {
    return readScale(this.get(key), this.definition);
  }

  /** The definition with which the bodies of Scales are decoded. */
  get scaleDefinition(): ResourceDefinition {
    const { goTypes } = this.#registry.builtIn('apps/v1/deployments').definition;
    return scaleKind(goTypes, this.definition.namespaced);
  }

  /** Writes the replicas of a Scale, and the managers of the replicas, to the object in steps. Returns the new Scale. */
  *updateScaleSteps(
    key: ResourceKey,
    updater: (scale: ApiObject) => Steps<unknown>,
    context: RequestContext,
  ): Steps<ApiObject> {
    const { definition, scaleDefinition: kind } = this;
    const write = { key, definition, kind, context, paths: replicasPaths(this.#registry.versionsOf(definition)) };
    const mutate = (object: IncomingObject, old: ApiObject): Steps<unknown> =>
      this.#admission.mutate(this.#request({ operation: 'UPDATE', kind, key, name: key.name, object, old, context }));
    const scaled = (live: ApiObject): Steps<unknown> =>
      scaledObject(live, updater, { ...write, mutate, now: timestamp(this.#clock.now()) });
    // The updater has already set the managers. The client sent only a Scale, so the server does not report unknown fields of the object.
    const settled: RequestContext = { ...context, operation: 'Apply', fieldValidation: 'Ignore' };
    const updated = yield* this.#update(key, scaled, settled);
    if (updated !== undefined) return readScale(updated, definition);
    throw missing(definition, key, { kind, updater, context });
  }

  /** Removes the object, or marks it for deletion if its finalizers or a grace period delay the removal. Returns a Status or the object. */
  delete(key: ResourceKey, options: DeleteOptions, context: RequestContext): ApiObject | Status {
    return finish(this.deleteSteps(key, options, { ...context, unreviewed: true }));
  }

  /** Deletes an object in steps. The last step writes. If the object has changed by then, the deletion starts again. */
  *deleteSteps(key: ResourceKey, options: DeleteOptions, context: RequestContext): Steps<ApiObject | Status> {
    checkDeleteOptions(options);
    const warning = deletionWarning(this.definition, options);
    if (warning !== undefined) context.warnings.push(warning);
    // Reviews also contain the options of deletions by the server's own controllers.
    const sent = { options: options as JsonObject, ...context };
    for (;;) {
      const deleted = yield* this.#deleteOnce(key, options, sent);
      if (deleted !== undefined) return yield* shownResult(deleted, this.definition);
    }
  }

  /** Tries to delete the object. Returns undefined if the object has changed in the meantime. */
  *#deleteOnce(
    key: ResourceKey,
    options: DeleteOptions,
    context: RequestContext,
  ): Steps<ApiObject | Status | undefined> {
    const { definition } = this;
    const stored = this.stored(key);
    const live = yield* readAgain(stored, definition);
    checkPreconditions(live, definition, options);
    if (isDeletionPending(live, definition, { options, now: this.#clock.now() })) return live;
    const reviewed = reviewedDelete(live, key, { definition, context });
    yield* this.#reviewDeletion(live, key, reviewed);
    const plan = planDeletion(live, definition, { options, now: this.#clock.now() });
    if (plan.outcome === 'wait') return live;
    const again = context.dryRun ? undefined : reviewedAgain(plan, live);
    if (again !== undefined) yield* this.#reviewDeletion(again, key, reviewed);
    if (plan.outcome === 'mark') definition.strategy.prepareForDeletion?.(plan.object);
    // For a kind with graceful deletion, the returned object has a deletionTimestamp even if the object is removed immediately.
    const marked = plan.outcome === 'mark' ? plan.object : plan.last;
    const written = marked === undefined || context.dryRun ? undefined : yield* storedForm(marked, definition);
    if (written !== undefined) yield* this.#store.prepareSteps(written);
    if (this.#store.get(definition.storageBucket, key) !== stored) return undefined;
    const updated = written === undefined ? marked : this.#write(written, live);
    if (plan.outcome === 'mark') return updated;
    const removed = context.dryRun ? (marked ?? live) : this.#remove(key);
    return answersWithObject(definition) ? removed : deletedStatus(live, definition);
  }

  *#reviewDeletion(
    old: ApiObject,
    key: ResourceKey,
    reviewed: Pick<AdmissionRequest, 'name' | 'context'>,
  ): Steps<void> {
    const request = this.#request({ operation: 'DELETE', key, object: undefined, old, ...reviewed });
    yield* this.#admission.mutate(request);
    yield* this.#admission.validate(request);
  }

  *#createOnce(draft: IncomingObject, context: RequestContext, key: Partial<ResourceKey>): Steps<ApiObject> {
    const { definition } = this;
    const begun = this.#store.resourceVersion;
    bindToPath(draft, definition, key);
    // A PUT that creates an object may be an update of a deleted object.
    const { uid, namespace, name: given = '' } = draft.metadata;
    if (context.verb === 'update') checkUid(definition, { namespace, name: given }, uid);
    wipeNewMetadata(draft);
    yield* fillDefaults(draft, definition, context);
    yield;
    yield* manageDraft(draft, undefined, this.#tracking(context));
    yield;
    const create = { operation: 'CREATE', object: draft, old: undefined, unreadable: {}, context } as const;
    // Errors that occur before the server generates a name contain the generateName.
    const requested = { namespace, name: given || draft.metadata.generateName || 'Unknown' };
    const isMutated = yield* this.#admission.mutate(this.#request({ ...create, key: requested, name: given }));
    bindToPath(draft, definition, key);
    // A PUT that creates an object may contain the resourceVersion of a deleted object.
    const givenVersion = context.verb === 'create' ? draft.metadata.resourceVersion : undefined;
    prepareNew(draft, { definition, context, now: this.#clock.now(), random: this.#clock.random });
    if (definition.custom) rejectDeclaredKind(draft, definition);
    const { name } = draft.metadata;
    const target = { name, namespace: draft.metadata.namespace };
    const request = this.#request({ ...create, key: target, name });
    yield* reject(definition, name, yield* createErrors(draft, definition));
    addWarnings(draft, undefined, { definition, context });
    yield;
    completeDraft(draft, definition);
    yield* this.#admission.validate(request);
    settleDraft(draft, definition, { isMutated });
    const written = yield* writtenForm(draft, definition, context);
    if (!context.dryRun) yield* this.#store.prepareSteps(written);
    let charges: readonly PreparedUpdate[];
    do {
      charges = yield* this.#admission.charge(request);
      checkServed(this.#registry, this.definition, begun);
      this.#admission.checkLast(request);
      if (!context.dryRun) rejectVersion(givenVersion);
      const there = this.#store.get(definition.storageBucket, target);
      if (there !== undefined) throw alreadyExists(this.definition, there.metadata);
      if (context.dryRun) return dryRunAnswer(written, givenVersion);
    } while (!areCurrent(charges));
    writeAll(charges);
    const created = this.#store.create(this.definition.storageBucket, written);
    this.#registry.wrote(this.definition, created);
    return yield* readStored(created, definition);
  }

  #tracking(context: RequestContext): Parameters<typeof trackDraft>[2] {
    return { definition: this.definition, context, now: timestamp(this.#clock.now()) };
  }

  #write(object: ApiObject, live: ApiObject): ApiObject {
    const { resourceVersion: expected } = live.metadata;
    const stored = this.#store.update(this.definition.storageBucket, object, { expected });
    this.#registry.wrote(this.definition, stored);
    return writtenResult(stored, this.definition);
  }

  #remove(key: ResourceKey): ApiObject {
    const { namespace, name } = key;
    const removed = this.#store.delete(this.definition.storageBucket, { namespace, name });
    this.#registry.removed(this.definition, removed);
    return writtenResult(removed, this.definition);
  }

  #request(
    request: Omit<AdmissionRequest, 'definition' | 'kind' | 'registry'> & { readonly kind?: ResourceDefinition },
  ): AdmissionRequest {
    return { kind: this.definition, ...request, definition: this.definition, registry: this.#registry };
  }
}
