import {
  deepFreeze,
  type Draft,
  isControlledBy,
  type KindRef,
  type KubeObject,
  metadataOnly,
  type ObjectKey,
  type ObjectOf,
  type StatusOf,
  type WholeObject,
} from '@kubewright/api';
import { isNotFound } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import { abortable } from '../waiting/abortable.js';
import type { ListOptions } from '../cache/store/list-options.js';
import type { ReadOptions } from '../cache/store/read-options.js';
import { ApiReader } from './reads/api-reader.js';
import { Applier } from './writes/applier.js';
import { CachedReader } from './reads/cached-reader.js';
import { Client } from './client.js';
import type { CachedClientOptions } from './requests/client-backend.js';
import { type ClientCall, callOn } from './options/client-call.js';
import { ClientContext } from './requests/client-context.js';
import type {
  Applied,
  ApplyOptions,
  ApplyOwnedOptions,
  CreateOptions,
  CreateOrPatchOptions,
  DeleteAllOptions,
  DeleteByKeyOptions,
  DeleteOptions,
  PatchOptions,
  PatchStatusOptions,
  WriteOptions,
} from './options/client-options.js';
import type { ClientNodeModel, FromModel, FromModels, OnlyModel, OnlyModels } from './client-node/client-node-model.js';
import type { ClientSettings } from './options/client-settings.js';
import { createOrPatch } from './create-or-patch.js';
import type { CreatedOrPatched } from './writes/created-or-patched.js';
import { Deleter } from './writes/deleter.js';
import { patchOfEdits } from './bodies/edited-object.js';
import { patchOfStatus } from './bodies/edited-status.js';
import { withoutUndefined } from './requests/json-value.js';
import { asOnWire } from './client-node/model-fields.js';
import { listWithoutCache } from './reads/list-without-cache.js';
import type { LiveReader } from './reads/live-reader.js';
import { OpenInformers } from './reads/open-informers.js';
import { OwnedSets } from './owners/owned-sets.js';
import { inNamespaceOfOwner, ownedBy } from './owners/owner-reference.js';
import { assertVersion, MERGE_PATCH, type Patch, type PatchBody, patchBody } from './bodies/patch.js';
import { PresentObjects } from './writes/present-objects.js';
import type { SubresourceName, SubresourceOf } from './writes/subresource.js';
import { SubresourceClient } from './writes/subresource-client.js';
import { assertNamed } from './requests/target.js';
import { assertWhole } from './bodies/whole-object.js';
import { Writer } from './writes/writer.js';

/** The context of a client that `with` creates, and the informers that this client shares with the original client. */
interface Origin {
  readonly context: ClientContext;
  readonly informers: OpenInformers;
}

/**
 * The implementation of `Client` for controllers, managers, and programs without a manager. Reads from the cache of the backend, except
 * through `live` and for kinds with live reads.
 */
export class CachedClient extends Client {
  override readonly live: LiveReader;
  readonly #context: ClientContext;
  readonly #informers: OpenInformers;
  readonly #reader: ApiReader;
  readonly #cached: CachedReader;
  readonly #writer: Writer;
  readonly #present: PresentObjects;
  readonly #applier: Applier;
  readonly #sets: OwnedSets;
  readonly #deleter: Deleter;

  constructor(from: CachedClientOptions | Origin) {
    super();
    const context = 'context' in from ? from.context : new ClientContext(from);
    const informers = 'context' in from ? from.informers : new OpenInformers(context, from);
    const reader = new ApiReader(context);
    const cached = new CachedReader(informers, reader);
    const writer = new Writer(context, informers);
    this.live = reader;
    this.#context = context;
    this.#informers = informers;
    this.#reader = reader;
    this.#cached = cached;
    this.#writer = writer;
    this.#present = new PresentObjects({
      reader,
      writer,
      cachedReaderFor: async ({ kind }) =>
        !context.readsLive(kind) && (await informers.holds(kind)) ? cached : undefined,
    });
    this.#applier = new Applier({
      context,
      writer,
      present: this.#present,
      remove: (object) => this.delete(object, { propagation: 'Background' }),
    });
    this.#sets = new OwnedSets({
      context,
      apply: (child, how) => this.#apply(child, how),
      listOwned: (owner, kind) => this.listOwned(owner, metadataOnly(kind)),
      remove: (child, how) => this.delete(child, how),
    });
    this.#deleter = new Deleter({ context, writer, informers, reader, cached });
  }

  override with(settings: ClientSettings): Client {
    const context = new ClientContext(this.#context, settings);
    return new CachedClient({ context, informers: this.#informers });
  }

  override get<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options?: ReadOptions): Promise<T>;
  override get<K extends KindRef>(kind: K, key: ObjectKey, options?: ReadOptions): Promise<ObjectOf<K>>;
  override get<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options?: ReadOptions): Promise<T> {
    const cached = options === undefined ? this.#cachedNow(kind, key) : undefined;
    if (cached !== undefined) return Promise.resolve(cached);
    return this.#reading({ verb: 'get', kind, ...key, options: options ?? {} }, async () => {
      if (this.#context.readsLive(kind)) return this.#reader.read(kind, key);
      return this.#cached.get(kind, await this.#context.keyFor(kind, key), options);
    });
  }
  override find<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options?: ReadOptions): Promise<T | undefined>;
  override find<K extends KindRef>(kind: K, key: ObjectKey, options?: ReadOptions): Promise<ObjectOf<K> | undefined>;
  override find<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options?: ReadOptions): Promise<T | undefined> {
    const cached = options === undefined ? this.#cachedNow(kind, key) : undefined;
    return cached === undefined ? this.#find(kind, key, options ?? {}) : Promise.resolve(cached);
  }
  async #find<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options: ReadOptions): Promise<T | undefined> {
    try {
      return await this.#reading({ verb: 'get', kind, ...key, options }, async () => {
        if (this.#context.readsLive(kind)) return this.#reader.readIfExists(kind, key);
        return this.#cached.find(kind, await this.#context.keyFor(kind, key), options);
      });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
  override list<T extends KubeObject>(kind: KindRef<T>, options: ListOptions<NoInfer<T>> = {}): Promise<readonly T[]> {
    const { namespace } = options;
    return this.#reading({ verb: 'list', kind, namespace, options }, async () => {
      if (this.#context.readsLive(kind)) return listWithoutCache(this.#reader, kind, options);
      return this.#cached.list(kind, await this.#context.selectionFor(kind, options));
    });
  }
  override listOwned<T extends KubeObject>(owner: KubeObject, kind: KindRef<T>): Promise<readonly T[]> {
    const { namespace } = owner.metadata;
    return this.#reading({ verb: 'list', kind, namespace }, async () => {
      if (!this.#context.readsLive(kind)) {
        return this.#here(await this.#cached.listOwned(owner, kind, this.#context.controllerName));
      }
      const all = await this.#reader.readAll(kind, { namespace });
      return Object.freeze(all.filter((object) => isControlledBy(object, owner)));
    });
  }

  override isServed(kind: KindRef): Promise<boolean> {
    return this.#context.isServed(kind);
  }

  override create<M extends ClientNodeModel>(object: M & OnlyModel<M>, options?: CreateOptions): Promise<FromModel<M>>;
  override create<T extends WholeObject>(object: T, options?: CreateOptions): Promise<T>;
  override create<T extends WholeObject>(object: T, options: CreateOptions = {}): Promise<T> {
    return this.#context.intercepted(callOn('create', object, { options }), async () => {
      assertWhole('create', object);
      const placed = await this.#context.placed(asOnWire(object));
      const target = await this.#writer.targetOf(object);
      const { owner } = options;
      const controller = this.#context.controllerName;
      const body = owner === undefined ? withoutUndefined(placed) : ownedBy(placed, owner, { target, controller });
      return this.#writer.send<T>({ verb: 'create', object: body, target, body, options });
    });
  }

  override patch<M extends ClientNodeModel>(
    object: M & OnlyModel<M>,
    change: ((draft: Draft<FromModel<M>>) => void) | Patch<FromModel<M>>,
    options?: PatchOptions,
  ): Promise<FromModel<M>>;
  override patch<T extends KubeObject>(
    object: T,
    change: ((draft: Draft<T>) => void) | Patch<T>,
    options?: PatchOptions,
  ): Promise<T>;
  override patch<T extends KubeObject>(
    object: T,
    change: ((draft: Draft<T>) => void) | Patch<T>,
    options: PatchOptions = {},
  ): Promise<T> {
    return this.#context.intercepted(callOn('patch', object, { options }), async () => {
      const given = asOnWire(object);
      const request = patchOf(given, change, options.optimistic ?? false);
      return request === undefined
        ? asRead(given)
        : this.#writer.send<T>({ verb: 'patch', object: given, options, ...request });
    });
  }

  override patchStatus<M extends ClientNodeModel>(
    object: M & OnlyModel<M>,
    edit: Partial<StatusOf<FromModel<M>>> | ((status: Draft<StatusOf<FromModel<M>>>) => void),
    options?: PatchStatusOptions,
  ): Promise<FromModel<M>>;
  override patchStatus<T extends KubeObject>(
    object: T,
    edit: Partial<StatusOf<T>> | ((status: Draft<StatusOf<T>>) => void),
    options?: PatchStatusOptions,
  ): Promise<T>;
  override patchStatus<T extends KubeObject>(
    object: T,
    edit: Partial<StatusOf<T>> | ((status: Draft<StatusOf<T>>) => void),
    options: PatchStatusOptions = {},
  ): Promise<T> {
    const subresource = 'status';
    return this.#context.intercepted(callOn('patch', object, { subresource, options }), async () => {
      const given = asOnWire(object);
      const known = this.#writer.targetOf(given);
      const target = known instanceof Promise ? await known : known;
      const now = this.#context.clock.now();
      const changed = patchOfStatus({ object: given, edit, schema: target.schema, now, observed: options.observed });
      if (changed === undefined) return asRead(given);
      const { body, contentType } = patchBody({ merge: changed }, options.optimistic ? given : undefined);
      return await this.#writer.send<T>({
        verb: 'patch',
        object: given,
        target,
        body,
        subresource,
        options,
        contentType,
      });
    });
  }

  override update<M extends ClientNodeModel>(object: M & OnlyModel<M>, options?: WriteOptions): Promise<FromModel<M>>;
  override update<T extends WholeObject>(object: T | Draft<T>, options?: WriteOptions): Promise<T>;
  override update<T extends WholeObject>(object: T | Draft<T>, options: WriteOptions = {}): Promise<T> {
    const whole = object as T;
    return this.#context.intercepted(callOn('update', whole, { options }), async () => {
      assertWhole('update', whole);
      const body = withoutUndefined(await this.#context.placed(asOnWire(whole)));
      return this.#writer.send<T>({ verb: 'update', object: body, body, options });
    });
  }

  override createOrPatch<M extends ClientNodeModel>(
    object: M & OnlyModel<M>,
    edit: (draft: Draft<FromModel<M>>) => void,
    options?: CreateOrPatchOptions,
  ): Promise<CreatedOrPatched<FromModel<M>>>;
  override createOrPatch<T extends WholeObject>(
    object: T,
    edit: (draft: Draft<T>) => void,
    options?: CreateOrPatchOptions,
  ): Promise<CreatedOrPatched<T>>;
  override async createOrPatch<T extends WholeObject>(
    object: T,
    edit: (draft: Draft<T>) => void,
    options: CreateOrPatchOptions = {},
  ): Promise<CreatedOrPatched<T>> {
    assertWhole('create or patch', object);
    assertNamed('create or patch', object);
    const context = this.#context;
    const target = await this.#writer.targetOf(object);
    const { owner } = options;
    const controller = context.controllerName;
    const given = asOnWire(object);
    const placed = await context.placed(owner === undefined ? given : inNamespaceOfOwner(given, owner, target));
    const { apiVersion, kind, metadata } = placed;
    const { name, namespace } = metadata;
    const present = await context.intercepted({ verb: 'get', apiVersion, kind, namespace, name, options }, () =>
      this.#present.find(target, placed),
    );
    if (owner !== undefined && present !== undefined) await this.#present.assertOwner(present, owner);
    return createOrPatch(this, {
      object: placed,
      edit,
      options,
      present,
      isDryRun: context.isDryRun(options),
      owned: (one) => (owner === undefined ? one : ownedBy(one, owner, { target, controller })),
    });
  }

  override apply<M extends ClientNodeModel>(object: M & OnlyModel<M>, options?: ApplyOptions): Promise<FromModel<M>>;
  override apply<T extends WholeObject>(object: T, options?: ApplyOptions): Promise<T>;
  override apply<T extends WholeObject>(object: T, options: ApplyOptions = {}): Promise<T> {
    return this.#apply(object, options);
  }

  override applyOwned<
    const C extends readonly ClientNodeModel[],
    const O extends ApplyOwnedOptions = ApplyOwnedOptions,
  >(owner: KubeObject, children: C & OnlyModels<C>, options?: O): Promise<Applied<FromModels<C>, O>>;
  override applyOwned<const C extends readonly KubeObject[], const O extends ApplyOwnedOptions = ApplyOwnedOptions>(
    owner: KubeObject,
    children: C,
    options?: O,
  ): Promise<Applied<C, O>>;
  override async applyOwned<
    const C extends readonly KubeObject[],
    const O extends ApplyOwnedOptions = ApplyOwnedOptions,
  >(owner: KubeObject, children: C, options?: O): Promise<Applied<C, O>> {
    return (await this.#sets.apply(owner, children, options ?? {})) as Applied<C, O>;
  }

  override delete<M extends ClientNodeModel>(object: M & OnlyModel<M>, options?: DeleteOptions): Promise<void>;
  override delete(object: KubeObject, options?: DeleteOptions): Promise<void>;
  override delete(kind: KindRef, key: ObjectKey, options?: DeleteByKeyOptions): Promise<void>;
  override delete(
    given: KubeObject | KindRef,
    keyOrOptions: ObjectKey | DeleteOptions = {},
    byKey: DeleteByKeyOptions = {},
  ): Promise<void> {
    if (typeof given !== 'function') return this.#delete(given, keyOrOptions as DeleteOptions);
    const { apiVersion, kind } = kindOf(given);
    const { name, namespace } = keyOrOptions as ObjectKey;
    const metadata = { name, ...(namespace !== undefined && { namespace }) };
    return this.#delete({ apiVersion, kind, metadata } as KubeObject, byKey);
  }
  #delete(object: KubeObject, options: DeleteOptions): Promise<void> {
    const call = callOn('delete', object, { options });
    return this.#context.intercepted(call, () => this.#deleter.delete(object, options));
  }

  override deleteAll<T extends KubeObject>(
    kind: KindRef<T>,
    options: DeleteAllOptions<NoInfer<T>> = {},
  ): Promise<void> {
    const { apiVersion, kind: name } = kindOf(kind);
    const call: ClientCall = { verb: 'deleteAll', apiVersion, kind: name, namespace: options.namespace, options };
    return this.#context.intercepted(call, () => this.#deleter.deleteAll(kind, options));
  }

  override subresource<T extends KubeObject, const Name extends SubresourceName>(
    object: T,
    name: Name,
  ): SubresourceOf<T, Name> {
    const made: unknown = new SubresourceClient({ object, name, context: this.#context, writer: this.#writer });
    return made as SubresourceOf<T, Name>;
  }

  #apply<T extends KubeObject>(object: T, options: ApplyOptions & { readonly set?: string }): Promise<T> {
    return this.#context.intercepted(callOn('apply', object, { options }), async () => {
      assertWhole('apply', object);
      return this.#applier.apply(await this.#context.placed(asOnWire(object)), options);
    });
  }

  /**
   * Returns the cached object if the read has no other effects and does not wait: nothing intercepts, records or aborts the read, and the
   * cache contains the object. Most reads return here, so this method creates no promises, closures or strings.
   */
  #cachedNow<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey): T | undefined {
    const cached = this.#cached.now(kind, key);
    return cached !== undefined && this.#context.isPlainRead(kind, key) ? cached : undefined;
  }

  /** Performs a read. A cached read records the list and watch permissions of its informer. */
  #reading<T extends KubeObject, R>(
    call: Omit<ClientCall, 'kind' | 'apiVersion' | 'options'> & {
      readonly kind: KindRef<T>;
      readonly options?: ReadOptions;
    },
    read: () => Promise<R>,
  ): Promise<R> {
    const context = this.#context;
    const { apiVersion, kind } = kindOf(call.kind);
    return context.intercepted({ ...call, apiVersion, kind }, async () => {
      if (!context.readsLive(call.kind) && context.isRecorded) {
        context.noteAccess(await context.targetOf(call.kind), ['list', 'watch']);
      }
      const ending = context.settings.signals.length === 0 ? [] : context.signals;
      return abortable(read(), ...ending, call.options?.signal);
    });
  }

  /**
   * Keeps only the objects in the namespace of this client, and cluster-scoped objects. Returns all objects if the client has no namespace.
   */
  #here<T extends KubeObject>(objects: readonly T[]): readonly T[] {
    const { namespace } = this.#context.settings;
    if (namespace === undefined) return objects;
    return Object.freeze(objects.filter(({ metadata }) => (metadata.namespace ?? namespace) === namespace));
  }
}

/** Returns the body of the patch. Returns undefined for a function whose edits change nothing. */
function patchOf<T extends KubeObject>(
  object: T,
  change: ((draft: Draft<T>) => void) | Patch<T>,
  optimistic: boolean,
): PatchBody | undefined {
  if (typeof change !== 'function') return patchBody(change, optimistic ? object : undefined);
  if (optimistic) assertVersion(object);
  const body = patchOfEdits(object, change, optimistic);
  return body === undefined ? undefined : { body, contentType: MERGE_PATCH };
}

/** Returns a frozen object: the object itself if it is frozen, otherwise a frozen copy. */
function asRead<T extends KubeObject>(object: T): T {
  return Object.isFrozen(object) ? object : deepFreeze(structuredClone(object));
}
