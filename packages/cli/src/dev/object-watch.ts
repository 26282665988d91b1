import { dynamicKind, type KubeObject } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { groupOf, kindRefOf } from '@kubewright/api/metadata';
import type { Informer } from '@kubewright/runtime';
import { describeObject, type KubeApi } from '../deploy/kube-api.js';
import { storedVersion } from './stored-version.js';

interface Watched {
  readonly version: string;
  readonly informer: Informer<KubeObject>;
  readonly stop: AbortController;
}

/** Watches all objects of the kinds of a project, and the samples of other kinds. */
export class ObjectWatch implements AsyncDisposable {
  readonly #api: KubeApi;
  readonly #onChange: (object: KubeObject, type: 'added' | 'modified' | 'deleted') => void;
  /** The watches of the kinds of the project, by kind and group. */
  readonly #kinds = new Map<string, Watched>();
  /** The watches of samples of other kinds. Each watch selects one object by name, because the kind may have many objects. */
  readonly #samples = new Map<string, Watched>();

  constructor(api: KubeApi, onChange: (object: KubeObject, type: 'added' | 'modified' | 'deleted') => void) {
    this.#api = api;
    this.#onChange = onChange;
  }

  /** Watches all objects of the kinds of these definitions. Stops the watches of all other kinds. */
  async of(definitions: readonly CustomResourceDefinition[]): Promise<void> {
    const desired = new Map(definitions.map(({ spec }) => [kindKey(spec.group, spec.names.kind), spec]));
    for (const [key, watched] of this.#kinds) {
      const spec = desired.get(key);
      if (spec === undefined || storedVersion(spec)?.name !== watched.version) await close(this.#kinds, key);
    }
    for (const [key, spec] of desired) {
      if (this.#kinds.has(key)) continue;
      const version = storedVersion(spec)?.name ?? '';
      const informer = await this.#api.cache.informer(dynamicKind(`${spec.group}/${version}`, spec.names.kind));
      this.#kinds.set(key, this.#followed(informer, version));
    }
  }
  /** Also watches these objects, unless `of` already watches all objects of their kind. */
  async alsoAt(objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) {
      const key = sampleKey(object);
      if (this.#kinds.has(kindKeyOf(object)) || this.#samples.has(key)) continue;
      const { name, namespace } = object.metadata;
      const informer = await this.#api.cache.informer(kindRefOf(object), {
        ...(namespace !== undefined && { namespace }),
        fields: { 'metadata.name': name },
      });
      this.#samples.set(key, this.#followed(informer, object.apiVersion));
    }
  }
  /** Returns the latest state of a watched object from the cache, or undefined. Objects of the project's kinds have the storage version. */
  find(object: KubeObject): KubeObject | undefined {
    const watched = this.#kinds.get(kindKeyOf(object)) ?? this.#samples.get(sampleKey(object));
    return watched?.informer.get(object.metadata);
  }
  async [Symbol.asyncDispose](): Promise<void> {
    for (const watched of [this.#kinds, this.#samples]) {
      for (const key of watched.keys()) await close(watched, key);
    }
  }

  #followed(informer: Informer<KubeObject>, version: string): Watched {
    const stop = new AbortController();
    void this.#follow(informer, stop.signal);
    return { version, informer, stop };
  }
  async #follow(informer: Informer<KubeObject>, signal: AbortSignal): Promise<void> {
    for await (const { type, object } of informer.changes({ signal })) this.#onChange(object, type);
  }
}

async function close(all: Map<string, Watched>, key: string): Promise<void> {
  const watched = all.get(key);
  all.delete(key);
  watched?.stop.abort();
  await watched?.informer[Symbol.asyncDispose]();
}
function kindKey(group: string, kind: string): string {
  return `${kind}.${group}`;
}
function kindKeyOf({ apiVersion, kind }: KubeObject): string {
  return kindKey(groupOf(apiVersion), kind);
}
function sampleKey(object: KubeObject): string {
  return `${object.apiVersion} ${describeObject(object)}`;
}
