import { trackUpdate } from '@kubewright/api/apply';
import type { Clock } from '@kubewright/api/clock';
import { isAlreadyExists, type Status } from '@kubewright/api/errors';
import type { FieldError } from '@kubewright/api/schema';
import type { Store } from '../storage/store.js';
import type { StoredObject } from '../storage/stored-object.js';
import type { AdmissionCheck, AdmissionRequest } from './admission-check.js';
import { decode } from './decode.js';
import { checkDeleteOptions, checkPreconditions, isDeletionComplete, planDeletion } from './deletion.js';
import { type ApiObject, copyJson, type DraftObject } from './json-object.js';
import { listObjects } from './listing.js';
import { bindToPath, fillNewMetadata, keepMetadata, timestamp } from './metadata-rules.js';
import type { Registry } from './registry.js';
import type { RequestContext } from './request-context.js';
import type { ResourceDefinition } from './resource-definition.js';
import { readScale, writeScale } from './scale.js';
import { compileSelection } from './selection.js';
import { alreadyExists, conflict, failure, invalid, modified, notFound } from './status-errors.js';
import {
  fillDefaults,
  resetsStatus,
  sameExceptManagers,
  sameManagers,
  specChanged,
  statusOnly,
  without,
} from './update-rules.js';
import { createErrors, updateErrors } from './validation.js';
import type { DeleteOptions, ListOptions, ListResult, ResourceKey, Selection } from './verb-options.js';

const nameAttempts = 8;

/**
 * The verbs of one resource in one version, below HTTP: what a write means, and what is refused and how. Handlers and
 * controllers both call it. Everything is synchronous, so a read and the write after it are never separated.
 */
export class Resource {
  readonly definition: ResourceDefinition;
  readonly #registry: Registry;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #admission: readonly AdmissionCheck[];

  constructor(
    definition: ResourceDefinition,
    options: {
      readonly registry: Registry;
      readonly store: Store;
      readonly clock: Clock;
      readonly admission: readonly AdmissionCheck[];
    },
  ) {
    this.definition = definition;
    this.#registry = options.registry;
    this.#store = options.store;
    this.#clock = options.clock;
    this.#admission = options.admission;
  }

  /** Adds an object; `key` is what the path says of it. */
  create(input: unknown, context: RequestContext, key: Partial<ResourceKey> = {}): ApiObject {
    const generated = context.dryRun ? 1 : nameAttempts;
    for (let attempt = 1; ; attempt += 1) {
      const draft = decode(input, this.definition, context);
      const named = draft.metadata.name !== undefined || key.name !== undefined;
      try {
        return this.#createOnce(draft, context, key);
      } catch (error) {
        if (named || attempt >= generated || !isAlreadyExists(error)) throw error;
      }
    }
  }

  /** The object. Throws 404. */
  get(key: ResourceKey): ApiObject {
    const stored = this.#store.get(this.definition.storageBucket, key);
    if (stored === undefined) throw notFound(this.definition, key.name);
    return this.present(stored);
  }

  /** The object, or undefined. */
  find(key: ResourceKey): ApiObject | undefined {
    const stored = this.#store.get(this.definition.storageBucket, key);
    return stored === undefined ? undefined : this.present(stored);
  }

  list(options: ListOptions = {}): ListResult {
    return listObjects(this.#store, this.definition, options);
  }

  /** A test for the objects that selectors choose, for watches. Throws 400 for selectors that are not served. */
  matcher(selection: Omit<Selection, 'namespace'>): (object: ApiObject) => boolean {
    return compileSelection(this.definition, selection);
  }

  /** A stored object as this version shows it. */
  present(stored: StoredObject): ApiObject {
    return this.definition.fromStored(stored as unknown as ApiObject);
  }

  /**
   * Replaces the object, or its status, by what the updater makes of it. An update that changes nothing writes nothing;
   * one that takes the last finalizer from an object under deletion removes it.
   */
  update(key: ResourceKey, updater: (live: ApiObject) => unknown, context: RequestContext): ApiObject {
    const live = this.find(key);
    if (live === undefined) {
      if (!this.definition.strategy.allowCreateOnUpdate) throw notFound(this.definition, key.name);
      return this.create(updater(this.#blank(key)), context, key);
    }
    const draft = decode(updater(live), this.definition, context);
    bindToPath(draft, this.definition, key);
    this.#checkVersion(draft, live);
    keepMetadata(draft, live);
    fillDefaults(draft, this.definition);
    const next = this.#prepareUpdate(draft, live, context);
    return this.#commitUpdate(next, live, context);
  }

  /** The autoscaling/v1 Scale of the object. */
  getScale(key: ResourceKey): ApiObject {
    return readScale(this.get(key), this.definition);
  }

  /** Writes the replicas of a Scale to the object and returns the new Scale. */
  updateScale(key: ResourceKey, updater: (scale: ApiObject) => unknown, context: RequestContext): ApiObject {
    const change = (live: ApiObject): unknown =>
      writeScale(live, updater(readScale(live, this.definition)), this.definition);
    return readScale(this.update(key, change, context), this.definition);
  }

  /** Removes the object (the answer is a Status), or marks it when something has to happen first (the answer is the object). */
  delete(key: ResourceKey, options: DeleteOptions, context: RequestContext): ApiObject | Status {
    checkDeleteOptions(options);
    const live = this.get(key);
    checkPreconditions(live, this.definition, options);
    this.#admit({ operation: 'DELETE', key, object: undefined, old: live, context });
    const plan = planDeletion(live, this.definition, { options, now: this.#clock.now() });
    if (plan.outcome === 'wait') return live;
    if (plan.outcome === 'mark') {
      this.definition.strategy.prepareForDeletion?.(plan.object);
      return context.dryRun ? (plan.object as unknown as ApiObject) : this.#put(plan.object, live);
    }
    if (!context.dryRun) this.#remove(key);
    return this.#gone(live);
  }

  /** Deletes every object of the selection; the answer lists them as they were. */
  deleteCollection(
    selection: ListOptions,
    { options, context }: { readonly options: DeleteOptions; readonly context: RequestContext },
  ): ListResult {
    const found = this.list(selection);
    for (const { metadata } of found.items) this.delete(metadata, options, context);
    return found;
  }

  #createOnce(draft: DraftObject, context: RequestContext, key: Partial<ResourceKey>): ApiObject {
    const { strategy } = this.definition;
    if (draft.metadata.resourceVersion !== undefined) {
      const message = 'resourceVersion should not be set on objects to be created';
      throw failure(500, '', { message });
    }
    bindToPath(draft, this.definition, key);
    if (resetsStatus(this.definition)) delete draft['status'];
    fillNewMetadata(draft, this.#clock.now());
    fillDefaults(draft, this.definition);
    if (strategy.tracksGeneration) draft.metadata.generation = 1;
    strategy.prepareForCreate(draft, context);
    const name = draft.metadata.name ?? '';
    const target = { name, namespace: draft.metadata.namespace };
    this.#admit({ operation: 'CREATE', key: target, object: draft, old: undefined, context });
    this.#reject(name, createErrors(draft as unknown as ApiObject, this.definition));
    this.#warn(draft, undefined, context);
    const object = this.#tracked(draft, undefined, context);
    const stored = this.definition.toStored(object) as unknown as StoredObject;
    if (this.find(target) !== undefined) throw alreadyExists(this.definition, name);
    if (context.dryRun) return object as unknown as ApiObject;
    const created = this.#store.create(this.definition.storageBucket, stored);
    this.#registry.wrote(this.definition, created);
    return this.present(created);
  }

  #prepareUpdate(draft: DraftObject, live: ApiObject, context: RequestContext): DraftObject {
    const { strategy } = this.definition;
    if (context.subresource === 'status') {
      const next = statusOnly(draft, live, this.definition);
      strategy.prepareForStatusUpdate(next, live, context);
      return next;
    }
    if (resetsStatus(this.definition)) {
      if (live['status'] === undefined) delete draft['status'];
      else draft['status'] = copyJson(live['status']);
    }
    strategy.prepareForUpdate(draft, live, context);
    if (strategy.tracksGeneration && specChanged(draft, live, this.definition)) {
      draft.metadata.generation = (live.metadata.generation ?? 0) + 1;
    }
    return draft;
  }

  #commitUpdate(next: DraftObject, live: ApiObject, context: RequestContext): ApiObject {
    this.#admit({ operation: 'UPDATE', key: live.metadata, object: next, old: live, context });
    const { name } = live.metadata;
    this.#reject(name, updateErrors(next as unknown as ApiObject, live, { definition: this.definition, context }));
    this.#warn(next, live, context);
    if (sameExceptManagers(next, live)) {
      // Taking over fields without changing them is a write of a server-side apply, and of nothing else.
      if (context.operation !== 'Apply' || sameManagers(next, live)) return live;
    }
    const tracked = this.#tracked(next, live, context);
    if (isDeletionComplete(tracked as unknown as ApiObject, this.definition)) {
      if (!context.dryRun) this.#remove(live.metadata);
      return tracked as unknown as ApiObject;
    }
    return context.dryRun ? (tracked as unknown as ApiObject) : this.#put(tracked, live);
  }

  #tracked(draft: DraftObject, live: ApiObject | undefined, context: RequestContext): DraftObject {
    if (context.operation === 'Apply') return draft;
    const hidden = context.subresource === undefined && this.definition.subresources.has('status');
    const before = live === undefined || !hidden ? live : without(live, 'status');
    const after = hidden ? without(draft, 'status') : draft;
    const { metadata } = trackUpdate({
      before,
      after,
      schema: this.definition.schema,
      manager: context.fieldManager,
      ...(context.subresource === undefined ? {} : { subresource: context.subresource }),
      now: timestamp(this.#clock.now()),
    }) as { metadata: DraftObject['metadata'] };
    return { ...draft, metadata };
  }

  #put(object: DraftObject, live: ApiObject): ApiObject {
    const stored = this.#store.update(
      this.definition.storageBucket,
      this.definition.toStored(object) as unknown as StoredObject,
      { expected: live.metadata.resourceVersion },
    );
    this.#registry.wrote(this.definition, stored);
    return this.present(stored);
  }

  #remove(key: ResourceKey): void {
    const { namespace, name } = key;
    const removed = this.#store.delete(this.definition.storageBucket, { namespace, name });
    this.#registry.removed(this.definition, removed);
  }

  #gone({ metadata }: ApiObject): Status {
    const { group, plural } = this.definition;
    const details = { name: metadata.name, ...(group === '' ? {} : { group }), kind: plural, uid: metadata.uid };
    return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details, code: 200 };
  }

  #checkVersion(draft: DraftObject, live: ApiObject): void {
    const { resourceVersion, uid } = draft.metadata;
    const { name } = live.metadata;
    if (uid !== undefined && uid !== live.metadata.uid) {
      const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live.metadata.uid}`;
      throw conflict(this.definition, name, why);
    }
    if (resourceVersion !== undefined && resourceVersion !== '0') {
      if (resourceVersion !== live.metadata.resourceVersion) throw conflict(this.definition, name, modified);
    } else if (!this.definition.strategy.allowUnconditionalUpdate) {
      const message = 'Invalid value: 0x0: must be specified for an update';
      throw invalid(this.definition, name, [
        { reason: 'FieldValueInvalid', field: 'metadata.resourceVersion', message },
      ]);
    }
  }

  #admit(request: Omit<AdmissionRequest, 'definition' | 'registry'>): void {
    const complete = { ...request, definition: this.definition, registry: this.#registry };
    for (const check of this.#admission) check(complete);
  }

  #reject(name: string, errors: readonly FieldError[]): void {
    if (errors.length > 0) throw invalid(this.definition, name, errors);
  }

  #warn(draft: DraftObject, live: ApiObject | undefined, context: RequestContext): void {
    if (context.subresource !== undefined) return;
    context.warnings.push(...(this.definition.strategy.warnings?.(draft as unknown as ApiObject, live) ?? []));
  }

  #blank({ name, namespace }: ResourceKey): ApiObject {
    const { apiVersion, kind } = this.definition;
    return { apiVersion, kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } } as ApiObject;
  }
}
