import type { Draft, KindRef, KubeObject, ObjectKey, ObjectOf, StatusOf, WholeObject } from '@kubewright/api';
import type { ListOptions } from '../cache/store/list-options.js';
import type { ReadOptions } from '../cache/store/read-options.js';
import type { ClientNodeModel, FromModel, FromModels, OnlyModel, OnlyModels } from './client-node/client-node-model.js';
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
import type { ClientSettings } from './options/client-settings.js';
import type { CreatedOrPatched } from './writes/created-or-patched.js';
import type { LiveReader } from './reads/live-reader.js';
import type { Patch } from './bodies/patch.js';
import type { Reader } from './reads/reader.js';
import type { SubresourceName, SubresourceOf } from './writes/subresource.js';

/**
 * Reads from the cache and writes to the API server. After a write, the next read of the same client returns the written state. Each
 * controller has its own client, which writes as the field manager of the controller and reads the kinds that the controller declares.
 * Reading an undeclared kind from the cache throws an error that names the missing declaration.
 */
export abstract class Client implements Reader {
  /**
   * Returns one object. If the object does not exist, throws an error for which `isNotFound` returns true.
   *
   * @example const pod = await client.get(Pod, { namespace: 'default', name: 'web-0' });
   */
  abstract get<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options?: ReadOptions): Promise<T>;
  abstract get<K extends KindRef>(kind: K, key: ObjectKey, options?: ReadOptions): Promise<ObjectOf<K>>;
  /**
   * Returns one object, or undefined if the object does not exist.
   *
   * @example const secret = await client.find(Secret, { namespace, name: vm.spec.secretName });
   */
  abstract find<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options?: ReadOptions): Promise<T | undefined>;
  abstract find<K extends KindRef>(kind: K, key: ObjectKey, options?: ReadOptions): Promise<ObjectOf<K> | undefined>;
  /**
   * Lists all selected objects.
   *
   * @example const pods = await client.list(Pod, { namespace, labels: { app: 'web' } });
   */
  abstract list<T extends KubeObject>(kind: KindRef<T>, options?: ListOptions<NoInfer<T>>): Promise<readonly T[]>;
  /**
   * Lists the objects of a kind that `owner` controls. A read from the cache uses an index by owner.
   *
   * @example const pods = await client.listOwned(vm, Pod);
   */
  abstract listOwned<T extends KubeObject>(owner: KubeObject, kind: KindRef<T>): Promise<readonly T[]>;
  /**
   * Returns whether the API server serves a kind in its apiVersion. Sends a request at each call, except if a controller declares the kind
   * as optional and the kind is already known to be served.
   *
   * @example const children = (await client.isServed(ServiceMonitor)) ? [podFor(vm), monitorFor(vm)] : [podFor(vm)];
   */
  abstract isServed(kind: KindRef): Promise<boolean>;
  /**
   * Reads from the API server, and offers additional methods for pages and watches. Can read any kind, because it does not need an
   * informer. `get` and `find` send one request. A list sends one request per page.
   *
   * @example const pods = await client.live.list(Pod, { fields: { 'spec.nodeName': 'n1' } });
   */
  abstract readonly live: LiveReader;

  /**
   * Creates the object, which may be an object of client-node. If the metadata of the object has `generateName` instead of `name`, the
   * server generates the name. If the object exists, throws an error for which `isAlreadyExists` returns true.
   *
   * @example const pod = await client.create(podFor(vm), { owner: vm });
   */
  abstract create<M extends ClientNodeModel>(object: M & OnlyModel<M>, options?: CreateOptions): Promise<FromModel<M>>;
  abstract create<T extends WholeObject>(object: T, options?: CreateOptions): Promise<T>;
  /**
   * Patches the object. If `change` is a function, the function edits a draft of the object, and the client sends the smallest merge patch
   * with these edits. The client ignores edits of the status, and does not send a request if nothing changes. If `change` is a patch, sends
   * the patch unchanged, apart from the resourceVersion that `optimistic` adds.
   *
   * @example await client.patch(pod, (draft) => { draft.metadata.labels.tier = 'web'; });
   * @example await client.patch(pod, { merge: { metadata: { labels: { tier: null } } } });
   */
  abstract patch<M extends ClientNodeModel>(
    object: M & OnlyModel<M>,
    change: ((draft: Draft<FromModel<M>>) => void) | Patch<FromModel<M>>,
    options?: PatchOptions,
  ): Promise<FromModel<M>>;
  abstract patch<T extends KubeObject>(
    object: T,
    change: ((draft: Draft<T>) => void) | Patch<T>,
    options?: PatchOptions,
  ): Promise<T>;
  /**
   * Patches the status. If `edit` is an object, its fields replace the fields of the status.
   *
   * Sets `observedGeneration` of the status and of each condition that the edit changes. Sets `lastTransitionTime` of each condition that
   * is new or whose status changes, but keeps a new `lastTransitionTime` that the edit sets. Sets these fields only if the kind has them.
   * Does not send a request if nothing changes.
   *
   * @example await client.patchStatus(vm, { phase: 'Running' });
   */
  abstract patchStatus<M extends ClientNodeModel>(
    object: M & OnlyModel<M>,
    edit: Partial<StatusOf<FromModel<M>>> | ((status: Draft<StatusOf<FromModel<M>>>) => void),
    options?: PatchStatusOptions,
  ): Promise<FromModel<M>>;
  abstract patchStatus<T extends KubeObject>(
    object: T,
    edit: Partial<StatusOf<T>> | ((status: Draft<StatusOf<T>>) => void),
    options?: PatchStatusOptions,
  ): Promise<T>;
  /**
   * Replaces the whole object except its status. Rejects with a conflict if `object` has a resourceVersion and the stored object has
   * another resourceVersion.
   *
   * @example
   * const next = mutable(configMap);
   * next.data = { color: 'blue' };
   * await client.update(next);
   */
  abstract update<M extends ClientNodeModel>(object: M & OnlyModel<M>, options?: WriteOptions): Promise<FromModel<M>>;
  abstract update<T extends WholeObject>(object: T | Draft<T>, options?: WriteOptions): Promise<T>;
  /**
   * Creates the object with the edits, or makes the edits on the existing object of the same name. Sends the smallest patches: one for the
   * object, one for the status, and none if nothing would change. Fields of `object` are used only if the object is created; fields that
   * `edit` sets are also set on an existing object. Clients that edit different fields do not conflict, unless `optimistic` is true or the
   * edit changes a list.
   *
   * Also writes the status of a new object. Sets condition times and `observedGeneration`, as `patchStatus` does. If the caller owns all
   * fields, use `apply` instead. Throws KEY_CHANGED if the edit changes name, namespace, kind or apiVersion, ALREADY_OWNED if another
   * owner controls the object, and the errors of `create` and `patch`. Throws STALE_CHILD if the given owner was deleted and a new owner of
   * the same name controls the object.
   *
   * @example
   * const { object, outcome } = await client.createOrPatch(new ConfigMap({ metadata: { namespace, name } }), (draft) => {
   *   draft.data = { ...draft.data, color: 'blue' };
   * });
   */
  abstract createOrPatch<M extends ClientNodeModel>(
    object: M & OnlyModel<M>,
    edit: (draft: Draft<FromModel<M>>) => void,
    options?: CreateOrPatchOptions,
  ): Promise<CreatedOrPatched<FromModel<M>>>;
  abstract createOrPatch<T extends WholeObject>(
    object: T,
    edit: (draft: Draft<T>) => void,
    options?: CreateOrPatchOptions,
  ): Promise<CreatedOrPatched<T>>;
  /**
   * Applies the object with server-side apply. Returns the object with its status. First reads the existing object, from the cache if
   * possible, and does not send the apply if it would not change this object.
   *
   * @example await client.apply(deploymentFor(vm), { owner: vm });
   */
  abstract apply<M extends ClientNodeModel>(object: M & OnlyModel<M>, options?: ApplyOptions): Promise<FromModel<M>>;
  abstract apply<T extends WholeObject>(object: T, options?: ApplyOptions): Promise<T>;
  /**
   * Applies every child. If all children were applied, prunes the set: deletes the objects that this controller applied earlier for the
   * same owner and set, if they are not in the list. Pass all children in one call: a second call for the same owner and set in one
   * reconcile throws DUPLICATE_APPLY. Like `apply`, ignores the uid and the resourceVersion of the children, so that a child can be a copy
   * of an object that was read.
   *
   * @example const [pod, service] = await client.applyOwned(vm, [podFor(vm), serviceFor(vm)]);
   */
  abstract applyOwned<
    const C extends readonly ClientNodeModel[],
    const O extends ApplyOwnedOptions = ApplyOwnedOptions,
  >(owner: KubeObject, children: C & OnlyModels<C>, options?: O): Promise<Applied<FromModels<C>, O>>;
  abstract applyOwned<const C extends readonly KubeObject[], const O extends ApplyOwnedOptions = ApplyOwnedOptions>(
    owner: KubeObject,
    children: C,
    options?: O,
  ): Promise<Applied<C, O>>;
  /**
   * Deletes one object. If the object does not exist, throws an error only if `mustExist` is set.
   *
   * @example await client.delete(pod, { gracePeriodSeconds: 0 });
   */
  abstract delete<M extends ClientNodeModel>(object: M & OnlyModel<M>, options?: DeleteOptions): Promise<void>;
  abstract delete(object: KubeObject, options?: DeleteOptions): Promise<void>;
  /**
   * Deletes the object of a kind with the given key, without reading the object. If the object does not exist, throws an error only if
   * `mustExist` is set.
   *
   * @example await client.delete(Pod, { namespace: 'default', name: 'web-0' });
   */
  abstract delete(kind: KindRef, key: ObjectKey, options?: DeleteByKeyOptions): Promise<void>;
  /**
   * Deletes all selected objects. If the selection uses an index, or if it covers all namespaces of a namespaced kind, lists the objects
   * and sends one request per object. Otherwise, sends one request for all objects.
   *
   * @example await client.deleteAll(Pod, { namespace: 'default', labels: { app: 'web' } });
   */
  abstract deleteAll<T extends KubeObject>(kind: KindRef<T>, options?: DeleteAllOptions<NoInfer<T>>): Promise<void>;

  /**
   * Returns a client for a subresource of an object. The client adds the kind, the name and the namespace to the request bodies, except to
   * patches.
   *
   * @example await client.subresource(deployment, 'scale').patch({ merge: { spec: { replicas: 3 } } });
   * @example await client.subresource(pod, 'eviction').create({});
   * @example const { status } = await client.subresource(account, 'token').create({ spec: { audiences: ['vault'] } });
   */
  abstract subresource<T extends KubeObject, const Name extends SubresourceName>(
    object: T,
    name: Name,
  ): SubresourceOf<T, Name>;

  /**
   * Returns a client with the same connection and cache and with additional settings, such as a namespace, dry run, a field manager, live
   * reads, an access record or an interceptor. Settings of repeated calls are combined. The call does not send a request. Throws
   * INVALID_OPTION if a setting is invalid, and NAMESPACE_MISMATCH if this client is restricted to another namespace.
   *
   * @example const trial = client.with({ dryRun: true, namespace: 'team-a' });
   */
  abstract with(settings: ClientSettings): Client;
}
