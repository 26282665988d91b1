import { dynamicKind, type KubeObject } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { groupOf } from '@kubewright/api/metadata';
import type { Informer } from '@kubewright/runtime';
import type { KubeApi } from '../deploy/kube-api.js';

interface Watched {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly informer: Informer<KubeObject>;
  readonly stop: AbortController;
}

/** Looks at the objects of the kinds of a project as they change. */
export class ObjectWatch implements AsyncDisposable {
  readonly #api: KubeApi;
  readonly #onChange: (object: KubeObject, type: 'added' | 'modified' | 'deleted') => void;
  readonly #watched = new Map<string, Watched>();

  constructor(api: KubeApi, onChange: (object: KubeObject, type: 'added' | 'modified' | 'deleted') => void) {
    this.#api = api;
    this.#onChange = onChange;
  }

  /** Looks at the objects of these definitions from now on, and no longer at others. */
  async of(definitions: readonly CustomResourceDefinition[]): Promise<void> {
    const wanted = new Map(definitions.map((definition) => [definition.metadata.name, definition]));
    for (const [name, watched] of this.#watched) {
      const definition = wanted.get(name);
      if (definition === undefined || storedKind(definition).version !== watched.version)
        await this.#close(name, watched);
    }
    for (const [name, definition] of wanted) if (!this.#watched.has(name)) await this.#open(name, definition);
  }
  /** The object as it is now, in whichever version it was asked for. */
  find(object: KubeObject): KubeObject | undefined {
    const group = groupOf(object.apiVersion);
    const watched = [...this.#watched.values()].find((one) => one.kind === object.kind && one.group === group);
    return watched?.informer.get(object.metadata);
  }
  async [Symbol.asyncDispose](): Promise<void> {
    for (const [name, watched] of this.#watched) await this.#close(name, watched);
  }

  async #open(name: string, definition: CustomResourceDefinition): Promise<void> {
    const { group, version, kind } = storedKind(definition);
    const informer = await this.#api.cache.informer(dynamicKind(`${group}/${version}`, kind));
    const stop = new AbortController();
    this.#watched.set(name, { group, version, kind, informer, stop });
    void this.#follow(informer, stop.signal);
  }
  async #follow(informer: Informer<KubeObject>, signal: AbortSignal): Promise<void> {
    for await (const { type, object } of informer.changes({ signal })) this.#onChange(object, type);
  }
  async #close(name: string, { informer, stop }: Watched): Promise<void> {
    stop.abort();
    this.#watched.delete(name);
    await informer[Symbol.asyncDispose]();
  }
}

/** A kind in the version in which its objects are kept. */
function storedKind({ spec }: CustomResourceDefinition): Pick<Watched, 'group' | 'version' | 'kind'> {
  const version = spec.versions.find(({ storage }) => storage)?.name ?? spec.versions[0]?.name ?? '';
  return { group: spec.group, version, kind: spec.names.kind };
}
