import type { Draft, KindRef, KubeObject, ObjectKey, ObjectOf, StatusOf, WholeObject } from '@kubewright/api';
import type { ListOptions } from '../cache/list-options.js';
import type { ReadOptions } from '../cache/read-options.js';
import type { ClientNodeModel, FromModel, FromModels, OnlyModel, OnlyModels } from './client-node-model.js';
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
} from './client-options.js';
import type { ClientSettings } from './client-settings.js';
import type { CreatedOrPatched } from './created-or-patched.js';
import type { LiveReader } from './live-reader.js';
import type { Patch } from './patch.js';
import type { Reader } from './reader.js';
import type { SubresourceName, SubresourceOf } from './subresource.js';

/**
 * Reads from the cache and writes to the API server. A write is seen by the next read of the same client. Each controller gets
 * its own, bound to its field manager and to the kinds that it declared: reading another kind is an error that says what to declare.
 */
export abstract class Client implements Reader {
  /**
   * One object; throws what `isNotFound` knows.
   *
   * @example const pod = await client.get(Pod, { namespace: 'default', name: 'web-0' });
   */
  abstract get<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options?: ReadOptions): Promise<T>;
  abstract get<K extends KindRef>(kind: K, key: ObjectKey, options?: ReadOptions): Promise<ObjectOf<K>>;
  /**
   * One object, or undefined.
   *
   * @example const secret = await client.find(Secret, { namespace, name: vm.spec.secretName });
   */
  abstract find<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options?: ReadOptions): Promise<T | undefined>;
  abstract find<K extends KindRef>(kind: K, key: ObjectKey, options?: ReadOptions): Promise<ObjectOf<K> | undefined>;
  /**
   * All objects that are selected.
   *
   * @example const pods = await client.list(Pod, { namespace, labels: { app: 'web' } });
   */
  abstract list<T extends KubeObject>(kind: KindRef<T>, options?: ListOptions<NoInfer<T>>): Promise<readonly T[]>;
  /**
   * The objects of a kind that `owner` controls, from the owner index that every kind in `owns` has.
   *
   * @example const pods = await client.listOwned(vm, Pod);
   */
  abstract listOwned<T extends KubeObject>(owner: KubeObject, kind: KindRef<T>): Promise<readonly T[]>;
  /**
   * Returns whether the API server serves a kind in this version. Sends a request, unless a controller declares the kind as optional and
   * the API server served the kind at the last request.
   *
   * @example const children = (await client.isServed(ServiceMonitor)) ? [podFor(vm), monitorFor(vm)] : [podFor(vm)];
   */
  abstract isServed(kind: KindRef): Promise<boolean>;
  /**
   * The same reads from the API server, and pages and watches. Any kind, no informer; one request each.
   *
   * @example const pods = await client.live.list(Pod, { fields: { 'spec.nodeName': 'n1' } });
   */
  abstract readonly live: LiveReader;

  /**
   * Creates the object, which may be an object of client-node. If its metadata has `generateName` instead of a name, the server generates
   * the name. If the object exists, throws an error for which `isAlreadyExists` returns true.
   *
   * @example const pod = await client.create(podFor(vm), { owner: vm });
   */
  abstract create<M extends ClientNodeModel>(object: M & OnlyModel<M>, options?: CreateOptions): Promise<FromModel<M>>;
  abstract create<T extends WholeObject>(object: T, options?: CreateOptions): Promise<T>;
  /**
   * Sends the smallest patch that makes the edits, or nothing when there are none; status is not touched. Or sends the patch that is
   * passed, as it is.
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
   * The same for the status. `observedGeneration` and transition times are filled in: on the status, and in the conditions that the edit
   * sets or changes; one that it leaves as it was goes on to speak of the generation that it spoke of. An object replaces the fields
   * that it names.
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
   * Replaces the whole object but its status; a conflict when it changed since it was read.
   *
   * @example
   * const next = mutable(configMap);
   * next.data = { color: 'blue' };
   * await client.update(next);
   */
  abstract update<M extends ClientNodeModel>(object: M & OnlyModel<M>, options?: WriteOptions): Promise<FromModel<M>>;
  abstract update<T extends WholeObject>(object: T | Draft<T>, options?: WriteOptions): Promise<T>;
  /**
   * Makes the object with the edits, or makes the edits to the one of its name that is there: by the smallest patches, of the status
   * apart from the rest, and by none where nothing would change. So say in the object what only a new one is to have, and in the edit
   * what shall always be so. Two who edit different fields do not disturb each other; `optimistic: true` makes it a conflict.
   *
   * A status is written of a new object, too, and its conditions and `observedGeneration` are filled in, as by `patchStatus`. Where the
   * fields are all yours, `apply` says the same without a read. Throws KEY_CHANGED for an edit of name, namespace or kind, and what
   * `create` and `patch` throw.
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
   * Server-side apply. Returns the object with its status. Sends nothing when the cache shows that nothing would change.
   *
   * @example await client.apply(deploymentFor(vm), { owner: vm });
   */
  abstract apply<M extends ClientNodeModel>(object: M & OnlyModel<M>, options?: ApplyOptions): Promise<FromModel<M>>;
  abstract apply<T extends WholeObject>(object: T, options?: ApplyOptions): Promise<T>;
  /**
   * Applies every child, and when all went well removes what this controller applied for `owner` before and is no longer in the
   * list. So pass the whole list, in one call: a second call for the same owner and set in one reconcile is an error. As with `apply`,
   * uid and version of what is passed do not count, so that a child may be made of one that was read.
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
   * Deletes one object. Not an error when it is gone already, unless `mustExist` says so.
   *
   * @example await client.delete(pod, { gracePeriodSeconds: 0 });
   */
  abstract delete<M extends ClientNodeModel>(object: M & OnlyModel<M>, options?: DeleteOptions): Promise<void>;
  abstract delete(object: KubeObject, options?: DeleteOptions): Promise<void>;
  /**
   * Deletes the object of a kind that has the name, without a read. Not an error if there is none, unless `mustExist` is set.
   *
   * @example await client.delete(Pod, { namespace: 'default', name: 'web-0' });
   */
  abstract delete(kind: KindRef, key: ObjectKey, options?: DeleteByKeyOptions): Promise<void>;
  /**
   * Deletes all objects that are selected: by one request where they are in one namespace, else one by one.
   *
   * @example await client.deleteAll(Pod, { namespace: 'default', labels: { app: 'web' } });
   */
  abstract deleteAll<T extends KubeObject>(kind: KindRef<T>, options?: DeleteAllOptions<NoInfer<T>>): Promise<void>;

  /**
   * A subresource of an object. What names the object is filled into its bodies.
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
   * The same client with other settings: bound to a namespace, as a dry run, under another field manager, with live reads, recorded or
   * intercepted. They add up, and cost nothing to make. Throws INVALID_OPTION and NAMESPACE_REFUSED.
   *
   * @example const trial = client.with({ dryRun: true, namespace: 'team-a' });
   */
  abstract with(settings: ClientSettings): Client;
}
