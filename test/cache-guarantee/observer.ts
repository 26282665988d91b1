import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { compareResourceVersions } from '@kubewright/api/resource-version';
import { kindOf } from '@kubewright/api/metadata';
import type { Client, LabelsMatch } from '@kubewright/runtime';
import { type RecordedRead, textOf, versionOf } from './witness.js';

/** Reads objects for one controller, and records the controller's events and reads. */
export class Observer {
  readonly reads: RecordedRead[] = [];
  /** Reads that were rejected, with their errors. */
  readonly rejected: string[] = [];
  /** The resourceVersion at which the manager started. */
  since = '0';
  readonly #name: string;
  /** The newest resourceVersion of each object that an event delivered. */
  readonly #delivered = new Map<string, string>();

  constructor(name: string) {
    this.#name = name;
  }

  /** Records that an event of this object was delivered. */
  readonly onEvent = (object: KubeObject): void => {
    const key = `${object.kind} ${textOf(object.metadata)}`;
    const known = this.#delivered.get(key);
    if (known === undefined || compareResourceVersions(versionOf(object), known) > 0) {
      this.#delivered.set(key, versionOf(object));
    }
  };

  /** Reads one object from the cache of the controller and records the result. Returns undefined if the read finds nothing or fails. */
  async find<T extends KubeObject>(client: Client, kind: KindRef<T>, key: ObjectKey): Promise<T | undefined> {
    const notBefore = this.#oldestFor(kindOf(kind).kind, key);
    const object = await this.#attempt(`find ${kindOf(kind).kind} ${textOf(key)}`, () => client.find(kind, key));
    if (object !== REJECTED) this.#record({ kind: kindOf(kind).kind, key, notBefore, object, matches: () => true });
    return object === REJECTED ? undefined : object;
  }

  /** Lists objects from the cache of the controller and records one read per name. Returns an empty list if the read fails. */
  async list<T extends KubeObject>(client: Client, kind: KindRef<T>, selection: Selection): Promise<readonly T[]> {
    const { kind: name } = kindOf(kind);
    const oldest = selection.names.map((each) => this.#oldestFor(name, { ...selection.within, name: each }));
    const { labels, within, matches } = selection;
    const objects = await this.#attempt(`list ${name} ${JSON.stringify({ ...within, labels })}`, () =>
      client.list(kind, { ...within, ...(labels !== undefined && { labels }) }),
    );
    if (objects === REJECTED) return [];
    for (const [at, each] of selection.names.entries()) {
      const object = objects.find(({ metadata }) => metadata.name === each);
      const key = { ...within, name: each };
      this.#record({ kind: name, key, notBefore: oldest[at] ?? this.since, object, matches });
    }
    return objects;
  }

  async #attempt<R>(what: string, read: () => Promise<R>): Promise<R | typeof REJECTED> {
    try {
      return await read();
    } catch (error) {
      this.rejected.push(`${this.#name}: ${what}: ${String(error)}`);
      return REJECTED;
    }
  }
  #record(read: Omit<RecordedRead, 'by'>): void {
    this.reads.push({ by: this.#name, ...read });
  }
  #oldestFor(kind: string, key: ObjectKey): string {
    const delivered = this.#delivered.get(`${kind} ${textOf(key)}`);
    const since = this.since;
    return delivered !== undefined && compareResourceVersions(delivered, since) > 0 ? delivered : since;
  }
}

const REJECTED = Symbol('rejected');

/** The selection of a list. */
export interface Selection {
  readonly within: { readonly namespace?: string };
  readonly labels?: LabelsMatch;
  /** Whether an object matches `labels`. */
  readonly matches: (object: KubeObject) => boolean;
  /** The names of the objects that the list is checked for: the objects that users write. Children are not checked. */
  readonly names: readonly string[];
}
