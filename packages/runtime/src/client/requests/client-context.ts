import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { isNotFound, KubewrightError } from '@kubewright/api/errors';
import { kindOf, wholeKindOf } from '@kubewright/api/metadata';
import { kindName, kindNameOf } from '../../cache/selection/kind-name.js';
import type { ListOptions } from '../../cache/store/list-options.js';
import { kindNotServed } from '../../cache/served/served-kinds.js';
import type { Logger } from '../../log/logger.js';
import type { Query } from '../../transport/request/request-options.js';
import { isUnsupportedProtobuf, ProtobufKind, protobufOr } from '../../transport/answer/protobuf-kind.js';
import { resourcePath } from '../../transport/request/resource-path.js';
import type { AbortSource } from '../../waiting/abort-source.js';
import { underSignals } from '../../waiting/under-signals.js';
import type { WarningHandler } from '../../transport/request/warnings.js';
import type { AccessRecord } from '../../rbac/access-record.js';
import type { ApiRequest } from './api-request.js';
import { checkedAnswer } from './checked-answer.js';
import type { CachedClientOptions, ClientBackend } from './client-backend.js';
import type { ClientCall } from '../options/client-call.js';
import type { WriteOptions } from '../options/client-options.js';
import { type ClientSettings, type MergedSettings, mergedSettings, noSettings } from '../options/client-settings.js';
import { currentSecrets } from '../../log/known-secrets.js';
import { KnownKinds } from './known-kinds.js';
import { currentEnding, currentScope } from '../scope/reconcile-scope.js';
import { rememberedCall } from './remembered-call.js';
import { assertPlaced, objectPath, type Target } from './target.js';
import type { SentWrite, Write } from '../scope/write.js';

/** The state that a client shares with all clients that `with` creates from it. */
interface Roots {
  readonly options: CachedClientOptions;
  readonly kinds: KnownKinds;
  /** The readers of protobuf responses, by kind. */
  readonly protobuf: Map<string, ProtobufKind>;
  backend: Promise<ClientBackend> | undefined;
  /** The backend after the client has connected. */
  connected: ClientBackend | undefined;
}

/** The state that the components of one client share: the backend, the identity of the writer, and the settings. */
export class ClientContext {
  readonly settings: MergedSettings;
  /** Whether the settings neither intercept nor record reads, and read all kinds from the cache. */
  readonly #readsCache: boolean;
  readonly #roots: Roots;

  /** If `from` is a context, the new context shares everything except the settings. */
  constructor(from: CachedClientOptions | ClientContext, settings: ClientSettings = {}) {
    if (from instanceof ClientContext) {
      this.#roots = from.#roots;
      this.settings = mergedSettings(from.settings, settings);
    } else {
      this.#roots = {
        options: from,
        kinds: new KnownKinds([...(from.kinds ?? []), ...(from.owns ?? [])]),
        protobuf: new Map(),
        backend: undefined,
        connected: undefined,
      };
      this.settings = mergedSettings(
        noSettings,
        from.reads === undefined ? settings : { reads: from.reads, ...settings },
      );
    }
    const { intercept, records, reads = 'cached' } = this.settings;
    this.#readsCache = intercept === undefined && records.length === 0 && reads === 'cached';
  }

  get clock(): Clock {
    return this.#roots.options.clock;
  }
  get logger(): Logger {
    return this.#roots.options.logger;
  }

  /**
   * Returns the backend. Connects at the first call. If connecting fails, the next call connects again. Throws the reason of the abort if a
   * signal of the client or of the current reconcile is aborted.
   */
  backend(): Promise<ClientBackend> {
    this.#throwIfAborted();
    const roots = this.#roots;
    if (roots.backend === undefined) {
      const { backend } = roots.options;
      const connected = (async () => {
        roots.connected = typeof backend === 'function' ? await backend() : backend;
        return roots.connected;
      })();
      connected.catch(() => {
        roots.backend = undefined;
      });
      roots.backend = connected;
    }
    return roots.backend;
  }

  /** The backend. Undefined if the client has not connected yet. Throws the reason of an aborted signal, as `backend` does. */
  get connected(): ClientBackend | undefined {
    this.#throwIfAborted();
    return this.#roots.connected;
  }
  #throwIfAborted(): void {
    for (const signal of this.settings.signals) signal.throwIfAborted();
    currentEnding()?.throwIfAborted();
  }

  /** Sends one request for this client, and records the permissions that the request needs. */
  send<T>(request: ApiRequest): Promise<T> {
    return this.#send(request, (answer) => answer as T);
  }

  /**
   * Sends a request for one object or a subresource of the object. Same as `send`, but rejects with INVALID_RESPONSE if the response is not
   * valid for the requested object.
   */
  sendForObject<T>(request: ApiRequest): Promise<T> {
    return this.#send(request, (answer) => checkedAnswer(answer, request) as T);
  }

  async #send<T>(request: ApiRequest, accepted: (answer: unknown) => T): Promise<T> {
    const { target, subresource, method } = request;
    const { transport, served } = this.connected ?? (await this.backend());
    const { name, namespace } = request.at;
    const object = name === undefined ? undefined : objectPath(target.info, { name, namespace }, subresource);
    const isNew = method === 'POST' && subresource === undefined;
    const path = object === undefined || isNew ? resourcePath(target.info, { namespace }) : object;
    this.noteAccess(target, request.verbs, subresource);
    const onWarning = this.#onWarning;
    const { fence } = this.#roots.options;
    const { schema } = target;
    const { query, body, contentType, attempted } = request;
    const isRead = method === 'GET' && subresource === undefined && transport.acceptsProtobuf;
    const protobuf = isRead ? this.#protobufOf(target) : undefined;
    // A read of one object alone does not justify loading the decoder.
    const isList = protobuf !== undefined && name === undefined;
    const reader = protobuf?.loaded ?? (isList ? await protobuf.reader() : undefined);
    const accept = reader === undefined ? request.accept : protobufOr(request.accept);
    try {
      const answer = await underSignals(this.#endings, (signal) =>
        // The object has no spread, because V8 adds each field of a spread slowly.
        transport.request<unknown>({
          method,
          path,
          query,
          body,
          contentType,
          accept,
          decode: reader?.decode,
          attempted,
          schema,
          signal,
          onWarning,
          fence,
        }),
      );
      return accepted(answer);
    } catch (error) {
      if (protobuf !== undefined && isUnsupportedProtobuf(error)) {
        protobuf.turnOff(error);
        return this.#send(request, accepted);
      }
      // A 404 for a missing object names the object. A 404 without a name may mean a missing kind.
      if (isNotFound(error) && error.body.details?.name === undefined) {
        await served?.assertStillServed(target.kind, { isSubresource: subresource !== undefined });
      }
      throw error;
    }
  }

  /** Returns the reader of protobuf responses for a kind. Returns undefined for a kind that is not built in. */
  #protobufOf({ info, builtIn }: Target): ProtobufKind | undefined {
    if (!builtIn) return undefined;
    const name = kindNameOf(info);
    let protobuf = this.#roots.protobuf.get(name);
    if (protobuf === undefined) {
      const resource = { ...info, builtIn };
      protobuf = new ProtobufKind({ resource, logger: this.logger, shareValues: true, keepManagedFields: true });
      this.#roots.protobuf.set(name, protobuf);
    }
    return protobuf;
  }

  get #onWarning(): WarningHandler | undefined {
    const { warnings } = this.settings;
    return warnings === 'ignore' ? () => undefined : warnings;
  }

  /** Adds the RBAC permissions that a request needs to all access records. */
  noteAccess({ info }: Target, verbs: readonly string[], subresource?: string): void {
    if (!this.isRecorded) return;
    const resource = subresource === undefined ? info.plural : `${info.plural}/${subresource}`;
    for (const record of this.#records) for (const verb of verbs) record.note({ group: info.group, resource, verb });
  }

  /** Whether at least one access record collects the used permissions. */
  get isRecorded(): boolean {
    return this.#records.length > 0;
  }
  get #records(): readonly AccessRecord[] {
    const scope = currentScope()?.records;
    return scope === undefined ? this.settings.records : [...this.settings.records, ...scope];
  }

  /**
   * Executes a call through the interceptor. Records the secret values that the call reads or writes, so that log lines of the reconcile
   * mask them.
   */
  intercepted<R>(call: ClientCall, carryOut: () => Promise<R>): Promise<R> {
    const { intercept } = this.settings;
    const answered = intercept === undefined ? carryOut : async () => (await intercept(call, carryOut)) as R;
    const known = currentSecrets();
    const rules = known === undefined || call.verb === 'watch' ? undefined : this.#roots.kinds.secretRulesOf(call);
    if (known === undefined || rules === undefined) return answered();
    return rememberedCall(known, rules, { call, answered });
  }

  /**
   * Returns the API resource and the schema of a kind. A metadata-only kind has the same target as the kind of whole objects. Fails with
   * KIND_NOT_SERVED for an optional kind that the API server does not serve. Returns a promise, and fails with a rejection, only if the
   * target is not known yet.
   */
  targetOf(kind: KindRef): Target | Promise<Target> {
    const whole = wholeKindOf(kind);
    this.#roots.kinds.meet(whole);
    if (isAmong(kind, currentScope()?.dormant)) throw kindNotServed(kind);
    const { connected } = this;
    if (connected === undefined || connected.served?.isDormant(whole)) return this.#servedTargetOf(whole);
    return this.#roots.kinds.targetOf(whole, connected.discovery);
  }
  async #servedTargetOf(whole: KindRef): Promise<Target> {
    const { discovery, served } = await this.backend();
    if (served?.isDormant(whole)) await served.assertServed(whole);
    return this.#roots.kinds.targetOf(whole, discovery);
  }
  /** Whether a kind is optional and the API server did not serve it at the last check. */
  async isDormant(kind: KindRef): Promise<boolean> {
    return isAmong(kind, currentScope()?.dormant) || ((await this.backend()).served?.isDormant(kind) ?? false);
  }
  /** Whether the API server serves a kind. Can send a request. */
  async isServed(kind: KindRef): Promise<boolean> {
    const { discovery, served } = await this.backend();
    return (served ?? discovery).isServed(kind);
  }
  /** Same as `targetOf`, but finds the kind by the apiVersion and kind of the object. */
  targetOfObject(object: KubeObject): Target | Promise<Target> {
    for (const { kind } of this.#roots.options.declared ?? []) this.#roots.kinds.meet(kind);
    return this.targetOf(this.#roots.kinds.of(object));
  }

  /**
   * Returns the namespace for a request. If the call names no namespace, returns the namespace of the client. Returns undefined for
   * cluster-scoped kinds. Throws NAMESPACE_MISMATCH if the call and the client name different namespaces.
   */
  namespaceFor({ info }: Target, given: string | undefined): string | undefined {
    if (!info.namespaced) return undefined;
    const own = this.settings.namespace;
    if (own === undefined || given === own) return given;
    if (given === undefined) return own;
    throw new KubewrightError(
      'NAMESPACE_MISMATCH',
      `cannot access ${info.kind} in namespace '${given}': this client is restricted to namespace '${own}'; use a client without a namespace, or omit the namespace`,
    );
  }
  /**
   * Returns the key, with the namespace of this client if the key has none. Rejects with NAMESPACE_MISMATCH if the key and the client name
   * different namespaces, and with NAMESPACE_REQUIRED if the kind is namespaced and neither names a namespace.
   */
  async keyFor(kind: KindRef, key: ObjectKey): Promise<ObjectKey> {
    if (this.settings.namespace === undefined && key.namespace) return key;
    const target = await this.targetOf(kind);
    const namespace = this.namespaceFor(target, key.namespace);
    assertPlaced(target.info, { name: key.name, namespace });
    return namespace === undefined ? { name: key.name } : { name: key.name, namespace };
  }
  /**
   * Returns the selection, with the namespace of this client if the selection has none. Rejects with NAMESPACE_MISMATCH if the selection
   * and the client name different namespaces.
   */
  async selectionFor<T extends ListOptions<never>>(kind: KindRef, options: T): Promise<T> {
    if (this.settings.namespace === undefined) return options;
    return { ...options, namespace: this.namespaceFor(await this.targetOf(kind), options.namespace) };
  }
  /**
   * Returns the object, with the namespace of this client if the object has none. Rejects with NAMESPACE_MISMATCH if the object and the
   * client name different namespaces.
   */
  async placed<T extends KubeObject>(object: T): Promise<T> {
    if (this.settings.namespace === undefined) return object;
    const { namespace: given } = object.metadata;
    const namespace = this.namespaceFor(await this.targetOfObject(object), given);
    return namespace === undefined || namespace === given
      ? object
      : { ...object, metadata: { ...object.metadata, namespace } };
  }

  /**
   * Whether a read can return the cached object directly. This requires that the client reads all kinds from the cache, no interceptor or
   * access record observes the read, no signal is aborted, and the client does not change the namespace of the key. Returns false if secret
   * values of the object must be recorded, or if the scope has `dormant` kinds.
   */
  isPlainRead(kind: KindRef, { namespace }: ObjectKey): boolean {
    const { namespace: own, signals } = this.settings;
    if (!this.#readsCache || (own !== undefined && own !== namespace)) return false;
    for (const signal of signals) if (signal.aborted) return false;
    const scope = currentScope();
    if (scope !== undefined && (scope.records !== undefined || scope.dormant !== undefined || scope.signal?.aborted))
      return false;
    return currentSecrets() === undefined || !this.#roots.kinds.hasSecrets(kind);
  }

  /** Whether the settings require that the client reads this kind from the API server. */
  readsLive(kind: KindRef): boolean {
    const { reads } = this.settings;
    if (reads === undefined || reads === 'cached') return false;
    if (reads === 'live') return true;
    const { apiVersion, kind: name } = kindOf(kind);
    return reads.live.some((one) => kindOf(one).apiVersion === apiVersion && kindOf(one).kind === name);
  }

  /** Returns the query parameters of a write. Options of the call take precedence over settings of the client. */
  writeQuery(options: WriteOptions = {}): Query {
    const { fieldValidation = this.settings.fieldValidation, fieldManager = this.fieldManager } = options;
    return { fieldManager, fieldValidation, dryRun: this.isDryRun(options) ? 'All' : undefined };
  }
  /** Whether a write is a dry run. If the client is set to dry run, an option of a call cannot turn the dry run off. */
  isDryRun({ dryRun }: Pick<WriteOptions, 'dryRun'> = {}): boolean {
    return this.settings.dryRun === true || dryRun === true;
  }

  /** The field manager of the writes: the field manager in the settings, otherwise of the current reconcile, otherwise of the client. */
  get fieldManager(): string {
    return this.settings.fieldManager ?? currentScope()?.controller ?? this.#roots.options.fieldManager;
  }
  /** The value of the owner label: the controller of the current reconcile, or the name that was given to the client. */
  get controllerName(): string {
    const { controllerName, fieldManager } = this.#roots.options;
    return currentScope()?.controller ?? controllerName ?? fieldManager;
  }
  /** The kinds from which `applyOwned` prunes children. Undefined if neither the current reconcile nor the client declares such kinds. */
  get owns(): readonly KindRef[] | undefined {
    return currentScope()?.owns ?? this.#roots.options.owns;
  }
  /** The signals that abort the calls of this client. A call is aborted if any of these signals is aborted. */
  get signals(): readonly AbortSignal[] {
    const scope = currentScope()?.signal;
    return scope === undefined ? this.settings.signals : [...this.settings.signals, scope];
  }
  /** The sources that abort the requests of this client: the signals of its settings, and the source that ends the current reconcile. */
  get #endings(): readonly AbortSource[] {
    const ending = currentEnding();
    return ending === undefined ? this.settings.signals : [...this.settings.signals, ending];
  }
  /** Reports a write to the client's listener and to the current reconcile. */
  wrote(write: Write, sent?: SentWrite): void {
    this.#roots.options.onWrite?.(write);
    currentScope()?.onWrite?.(write, sent);
  }
}

function isAmong(kind: KindRef, kinds: readonly KindRef[] | undefined): boolean {
  return kinds?.some((each) => kindName(each) === kindName(kind)) ?? false;
}
