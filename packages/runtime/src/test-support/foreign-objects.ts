import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { formatKey, keyOf } from '../cache/store/object-key.js';
import type { WatchEvent } from '../client/reads/live-reader.js';
import type { BlockerReader, BlockerSelection } from '../controller/blockers/blocker-watch.js';

interface OpenWatch {
  /** What is watched: an object, a namespace or all objects, such as `default/a`, `default` or `*`. */
  readonly of: string;
  readonly notify: () => void;
  failure: Error | undefined;
}

/** In-memory objects of one kind that can be read and watched as on an API server. */
export class ForeignObjects implements BlockerReader {
  readonly #objects = new Map<string, KubeObject>();
  readonly #events: { readonly event: WatchEvent<KubeObject>; readonly version: number }[] = [];
  readonly #watches = new Set<OpenWatch>();
  #version = 100;
  /** Called at the start of each read of an object. */
  onFind: (key: ObjectKey) => void = () => undefined;

  /** The open watches, as the text of `of`. */
  get watches(): readonly string[] {
    return [...this.#watches].map(({ of }) => of).toSorted();
  }

  put(name: string, metadata: Partial<KubeObject['metadata']> = {}): KubeObject {
    const resourceVersion = `${++this.#version}`;
    const creationTimestamp = '2030-01-01T00:00:00Z';
    const object: KubeObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'default', uid: `uid-${name}`, creationTimestamp, ...metadata, resourceVersion },
    };
    const id = formatKey(keyOf(object));
    const type = this.#objects.has(id) ? 'modified' : 'added';
    this.#objects.set(id, object);
    this.#note({ type, object });
    return object;
  }

  delete(object: KubeObject): void {
    this.#objects.delete(formatKey(object.metadata));
    const resourceVersion = `${++this.#version}`;
    this.#note({ type: 'deleted', object: { ...object, metadata: { ...object.metadata, resourceVersion } } });
  }

  /** Ends all watches with an error. */
  fail(failure: Error): void {
    for (const watch of this.#watches) {
      watch.failure = failure;
      watch.notify();
    }
  }

  async find(_kind: KindRef, key: ObjectKey): Promise<KubeObject | undefined> {
    this.onFind(key);
    return this.#objects.get(formatKey(key));
  }

  async *pages(): AsyncGenerator<{ readonly resourceVersion: string }> {
    yield { resourceVersion: `${this.#version}` };
  }

  async *watch(
    _kind: KindRef,
    options: BlockerSelection & { readonly resourceVersion: string; readonly signal: AbortSignal },
  ): AsyncGenerator<WatchEvent<KubeObject>> {
    const { namespace, fields, resourceVersion, signal } = options;
    const name = fields?.['metadata.name'];
    let notify = (): void => undefined;
    const of = [namespace ?? '*', ...(name === undefined ? [] : [name])].join('/');
    const watch: OpenWatch = { of, notify: () => notify(), failure: undefined };
    this.#watches.add(watch);
    signal.addEventListener('abort', watch.notify);
    try {
      let at = this.#events.findIndex(({ version }) => version > Number(resourceVersion));
      if (at < 0) at = this.#events.length;
      while (!signal.aborted) {
        if (watch.failure !== undefined) throw watch.failure;
        const next = this.#events[at];
        if (next === undefined) await new Promise<void>((resolve) => (notify = resolve));
        else at++;
        if (next === undefined) continue;
        const { metadata } = next.event.object;
        const isSelected =
          (namespace ?? metadata.namespace) === metadata.namespace && (name ?? metadata.name) === metadata.name;
        if (isSelected) yield next.event;
      }
    } finally {
      this.#watches.delete(watch);
    }
  }

  #note(event: WatchEvent<KubeObject>): void {
    this.#events.push({ event, version: this.#version });
    for (const { notify } of this.#watches) notify();
  }
}
