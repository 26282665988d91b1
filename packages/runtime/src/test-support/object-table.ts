import type { KubeObject, ObjectKey } from '@kubewright/api';
import { ApiError } from '@kubewright/api/errors';
import type { Change } from '../cache/store/change.js';
import { declarationOf, type Index, type IndexMatch } from '../cache/store/index-declaration.js';
import { formatKey } from '../cache/store/object-key.js';
import type { ChangeHandler, HandlerRegistration } from '../cache/informer/handlers/change-handler.js';
import type { JsonPatchOperation } from '../controller/finalizers/finalizer-patches.js';
import type { ReflectorStatus } from '../cache/reflector/reflector-status.js';
import type { ControllerInformer } from '../controller/informers/controller-informer.js';

interface WithStatus extends KubeObject {
  readonly status?: unknown;
}

/** In-memory objects that can be watched, for tests of components that use a cache. */
export class ObjectTable implements ControllerInformer<KubeObject> {
  readonly #objects = new Map<string, WithStatus>();
  readonly #handlers = new Set<ChangeHandler<KubeObject>>();
  readonly #indexes = new Map<string, Index<KubeObject>>();
  #version = 0;
  /** The number of lists. A test increases this number to simulate a relist. */
  lists = 1;

  get epoch(): number {
    return this.lists;
  }
  get status(): ReflectorStatus {
    const resourceVersion = String(this.#version);
    const state = { name: 'watching', resourceVersion } as const;
    return { kind: 'objects of a test', state, synced: true, lists: this.lists, watches: 1, resourceVersion };
  }
  /** The names of the indexes. */
  get indexes(): readonly string[] {
    return [...this.#indexes.keys()];
  }
  onStatus(): () => void {
    return () => undefined;
  }
  get(key: ObjectKey): KubeObject | undefined {
    return this.#objects.get(formatKey(key));
  }
  list(): readonly KubeObject[] {
    return [...this.#objects.values()];
  }
  addHandler(handler: ChangeHandler<KubeObject>): HandlerRegistration {
    this.#handlers.add(handler);
    for (const object of this.#objects.values()) handler.onChange({ type: 'added', object, initial: true });
    return { remove: () => void this.#handlers.delete(handler), synced: Promise.resolve() };
  }
  addIndex(index: Index<KubeObject>): void {
    this.#indexes.set(index.name, index);
  }
  removeIndex(index: Index<KubeObject>): void {
    this.#indexes.delete(index.name);
  }
  byIndex({ name, value }: IndexMatch<KubeObject>): readonly KubeObject[] {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new Error(`no index ${name}`);
    const { values } = declarationOf(index);
    return [...this.#objects.values()].filter((object) => [values(object) ?? []].flat().includes(value));
  }
  selectKeys(): void {
    // All objects are always selected.
  }
  caughtUp(): Promise<boolean> | undefined {
    return undefined;
  }
  wrote(): void {
    // The table already contains every write.
  }
  synced(): Promise<void> {
    return Promise.resolve();
  }
  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Adds or changes an object, and notifies the handlers. Sets the metadata that a server sets. If the object has no status, keeps the
   * current status.
   */
  put(object: KubeObject): KubeObject {
    const id = formatKey(object.metadata);
    const old = this.#objects.get(id);
    const uid = object.metadata.uid || `uid-${id}`;
    const status = (object as WithStatus).status ?? old?.status;
    const stored = {
      ...object,
      ...(status !== undefined && { status }),
      metadata: { ...object.metadata, uid, resourceVersion: String(++this.#version) },
    };
    this.#objects.set(id, stored);
    this.emit(
      old === undefined ? { type: 'added', object: stored, initial: false } : { type: 'modified', object: stored, old },
    );
    return stored;
  }
  remove(key: ObjectKey): void {
    const object = this.get(key);
    if (object === undefined) return;
    this.#objects.delete(formatKey(key));
    this.emit({ type: 'deleted', object, stale: false });
  }
  /**
   * Applies a patch of finalizers in the same way as a server. If the object is being deleted and has no finalizers left, removes the
   * object.
   */
  patchFinalizers(object: KubeObject, operations: readonly JsonPatchOperation[]): KubeObject {
    const current = this.get(object.metadata);
    if (current === undefined) throw refusal(404, 'NotFound');
    let finalizers = [...(current.metadata.finalizers ?? [])];
    for (const { op, path, value } of operations) {
      const at = Number(path.split('/')[3]);
      if (op === 'test' && path === '/metadata/resourceVersion' && value !== current.metadata.resourceVersion) {
        throw refusal(422, 'Invalid');
      }
      if (op === 'test' && !Number.isNaN(at) && finalizers[at] !== value) throw refusal(422, 'Invalid');
      if (op === 'remove') finalizers.splice(at, 1);
      if (op === 'add') finalizers = Array.isArray(value) ? (value as string[]) : [...finalizers, String(value)];
    }
    const patched = this.put({ ...current, metadata: { ...current.metadata, finalizers } });
    if (finalizers.length === 0 && patched.metadata.deletionTimestamp !== undefined) this.remove(patched.metadata);
    return patched;
  }

  /** Delivers a change to the handlers without changing the table. */
  emit(change: Change<KubeObject>): void {
    for (const handler of this.#handlers) handler.onChange(change);
  }
}

/** Returns the error of a request that a server rejects. */
export function refusal(code: number, reason: string): ApiError {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code,
    reason,
    message: reason,
  });
}
