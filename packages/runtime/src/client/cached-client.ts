import {
  type Draft,
  isControlledBy,
  type KindRef,
  type KubeObject,
  type ObjectKey,
  type StatusOf,
} from '@kubewright/api';
import { isConflict, isNotFound } from '@kubewright/api/errors';
import { kindRefOf } from '@kubewright/api/metadata';
import type { ListOptions } from '../cache/list-options.js';
import { Applier } from './applier.js';
import { CachedReader } from './cached-reader.js';
import { Client } from './client.js';
import type { CachedClientOptions } from './client-backend.js';
import { ClientContext } from './client-context.js';
import type { Applied, ApplyOptions, ApplyOwnedOptions, DeleteOptions, PatchOptions } from './client-options.js';
import { deepFreeze } from '@kubewright/api';
import { patchOfEdits } from './edited-object.js';
import { patchOfStatus } from './edited-status.js';
import { withoutUndefined } from './json-value.js';
import { LiveReader } from './live-reader.js';
import { OpenInformers } from './open-informers.js';
import { OwnedSets } from './owned-sets.js';
import { ownedBy } from './owner-reference.js';
import type { Reader } from './reader.js';
import { Writer } from './writer.js';

const MERGE_PATCH = 'application/merge-patch+json';
/** How many deletions of `deleteAll` are under way at a time. */
const DELETE_CONCURRENCY = 16;

/** The client of one controller, of a manager, or of a program without one. */
export class CachedClient extends Client {
  readonly #context: ClientContext;
  readonly #live: LiveReader;
  readonly #cached: CachedReader | undefined;
  readonly #writer: Writer;
  readonly #applier: Applier;
  readonly #sets: OwnedSets;

  constructor(options: CachedClientOptions) {
    super();
    const context = new ClientContext(options);
    const informers = new OpenInformers(context, options.declared);
    const cached = options.reads === 'live' ? undefined : new CachedReader(informers);
    const live = new LiveReader(context);
    const writer = new Writer(context, informers);
    this.#context = context;
    this.#live = live;
    this.#cached = cached;
    this.#writer = writer;
    this.#applier = new Applier({
      context,
      live,
      writer,
      cachedReaderFor: ({ kind }) => (informers.isDeclared(kind) ? cached : undefined),
    });
    this.#sets = new OwnedSets({
      context,
      applier: this.#applier,
      listOwned: (owner, kind) => this.listOwned(owner, kind),
      remove: (child, how) => this.delete(child, how),
    });
  }

  override get live(): Reader {
    return this.#live;
  }
  override get<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey): Promise<T> {
    return (this.#cached ?? this.#live).get(kind, key);
  }
  override find<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey): Promise<T | undefined> {
    return (this.#cached ?? this.#live).find(kind, key);
  }
  override list<T extends KubeObject>(kind: KindRef<T>, options?: ListOptions<NoInfer<T>>): Promise<readonly T[]> {
    return (this.#cached ?? this.#live).list(kind, options);
  }
  override async listOwned<T extends KubeObject>(owner: KubeObject, kind: KindRef<T>): Promise<readonly T[]> {
    if (this.#cached !== undefined) return this.#cached.listOwned(owner, kind);
    const all = await this.#live.list(kind, { namespace: owner.metadata.namespace });
    return Object.freeze(all.filter((object) => isControlledBy(object, owner)));
  }

  override async create<T extends KubeObject>(object: T, options: { readonly owner?: KubeObject } = {}): Promise<T> {
    const target = await this.#writer.targetOf(object);
    const controller = this.#context.controllerName;
    const body =
      options.owner === undefined ? withoutUndefined(object) : ownedBy(object, options.owner, { target, controller });
    return this.#writer.send<T>({ verb: 'create', method: 'POST', object: body, body });
  }

  override async patch<T extends KubeObject>(
    object: T,
    edit: (draft: Draft<T>) => void,
    options: PatchOptions = {},
  ): Promise<T> {
    const body = patchOfEdits(object, edit, options.optimistic ?? false);
    if (body === undefined) return asRead(object);
    return this.#writer.send<T>({ verb: 'patch', method: 'PATCH', object, body, contentType: MERGE_PATCH });
  }

  override async patchStatus<T extends KubeObject>(
    object: T,
    edit: Partial<StatusOf<T>> | ((status: Draft<StatusOf<T>>) => void),
  ): Promise<T> {
    const { schema } = await this.#writer.targetOf(object);
    const body = patchOfStatus({
      object,
      edit,
      schema,
      now: this.#context.clock.now(),
    });
    if (body === undefined) return asRead(object);
    return this.#writer.send<T>({
      verb: 'patch',
      method: 'PATCH',
      object,
      body,
      subresource: 'status',
      contentType: MERGE_PATCH,
    });
  }

  override update<T extends KubeObject>(object: T | Draft<T>): Promise<T> {
    const body = withoutUndefined(object) as unknown as KubeObject;
    return this.#writer.send<T>({ verb: 'update', method: 'PUT', object: body, body });
  }

  override apply<T extends KubeObject>(object: T, options: ApplyOptions = {}): Promise<T> {
    return this.#applier.apply(object, options);
  }

  override async applyOwned<
    const C extends readonly KubeObject[],
    const O extends ApplyOwnedOptions = ApplyOwnedOptions,
  >(owner: KubeObject, children: C, options?: O): Promise<Applied<C, O>> {
    return (await this.#sets.apply(owner, children, options ?? {})) as Applied<C, O>;
  }

  override async delete(object: KubeObject, options: DeleteOptions = {}): Promise<void> {
    const { uid } = object.metadata;
    const onlyThis = (options.sameUid ?? true) && uid !== undefined;
    try {
      await this.#writer.delete(object, {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        ...(options.propagation && { propagationPolicy: options.propagation }),
        ...(options.gracePeriodSeconds !== undefined && { gracePeriodSeconds: options.gracePeriodSeconds }),
        ...(onlyThis && { preconditions: { uid } }),
      });
    } catch (error) {
      if (isNotFound(error)) return;
      if (!onlyThis || !isConflict(error) || (await this.#isThere(object))) throw error;
    }
  }

  /** Whether the server still has this very object: a refused deletion may be about another one of its name, or about this one. */
  async #isThere(object: KubeObject): Promise<boolean> {
    const now = await this.#live.find(kindRefOf(object), object.metadata);
    return now?.metadata.uid === object.metadata.uid;
  }

  override async deleteAll<T extends KubeObject>(
    kind: KindRef<T>,
    options: ListOptions<NoInfer<T>> & DeleteOptions = {},
  ): Promise<void> {
    const { propagation, sameUid, gracePeriodSeconds, ...selection } = options;
    const how: DeleteOptions = withoutUndefined({ propagation, sameUid, gracePeriodSeconds }) as DeleteOptions;
    const doomed =
      selection.fields === undefined ? await this.list(kind, selection) : await this.#live.list(kind, selection);
    for (let from = 0; from < doomed.length; from += DELETE_CONCURRENCY) {
      await Promise.all(doomed.slice(from, from + DELETE_CONCURRENCY).map((object) => this.delete(object, how)));
    }
  }
}

/** The object itself when the server gave it, else a frozen copy. */
function asRead<T extends KubeObject>(object: T): T {
  return Object.isFrozen(object) ? object : deepFreeze(structuredClone(object));
}
