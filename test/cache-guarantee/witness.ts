import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { compareResourceVersions } from '@kubewright/api/resource-version';
import type { Client } from '@kubewright/runtime';

/** One state of an object, valid from this resourceVersion until the next state of the same key. */
interface State {
  readonly resourceVersion: string;
  /** Undefined if the object was deleted. */
  readonly object: KubeObject | undefined;
}

/** The result of a read, and the oldest state that the read may show. */
export interface RecordedRead {
  readonly by: string;
  readonly kind: string;
  readonly key: ObjectKey;
  /** The read may not show a state that ended at or before this resourceVersion. */
  readonly notBefore: string;
  /** The object that the read returned; undefined if the read did not find or list the object. */
  readonly object: KubeObject | undefined;
  /** For a list: whether an object matches the selection. A read by key matches every object. */
  readonly matches: (object: KubeObject) => boolean;
}

/** Holds every state of every object of a kind since a resourceVersion, as the API server recorded the states. */
export class Witness {
  readonly #states = new Map<string, State[]>();

  /** Reads all states from `since` up to the states of `last`, the newest object of the kind, with one list and one watch. */
  static async of(
    client: Client,
    kind: KindRef,
    { since, last }: { since: string; last: KubeObject },
  ): Promise<Witness> {
    const witness = new Witness();
    for await (const page of client.live.pages(kind, { resourceVersion: since, versionMatch: 'exact' })) {
      for (const object of page.items) witness.#add(object, { resourceVersion: versionOf(object), object });
    }
    for await (const { type, object } of client.live.watch(kind, { resourceVersion: since })) {
      witness.#add(object, { resourceVersion: versionOf(object), object: type === 'deleted' ? undefined : object });
      if (versionOf(object) === versionOf(last)) break;
    }
    return witness;
  }

  /** Describes how the read contradicts the states of the object. Returns undefined if the read is possible. */
  contradiction(read: RecordedRead): string | undefined {
    const states = this.#states.get(textOf(read.key)) ?? [];
    const possible = states.filter((_, at) => {
      const next = states[at + 1];
      return next === undefined || compareResourceVersions(next.resourceVersion, read.notBefore) > 0;
    });
    const isPossible =
      read.object === undefined
        ? couldBeAbsent(states, read)
        : possible.some(({ resourceVersion }) => resourceVersion === versionOf(read.object as KubeObject));
    if (isPossible) return undefined;
    const shown = read.object === undefined ? 'absent' : `at resourceVersion ${versionOf(read.object)}`;
    const known = states.map(({ resourceVersion, object }) => `${resourceVersion}${object ? '' : ' (deleted)'}`);
    return `${read.by} read ${read.kind} ${textOf(read.key)} ${shown}, not before ${read.notBefore}; its states: ${known.join(', ')}`;
  }

  #add(object: KubeObject, state: State): void {
    const key = textOf(object.metadata);
    const states = this.#states.get(key);
    if (states === undefined) this.#states.set(key, [state]);
    else states.push(state);
  }
}

/** Whether the object was absent, or did not match the selection of the read, at any time at or after `notBefore`. */
function couldBeAbsent(states: readonly State[], { notBefore, matches }: RecordedRead): boolean {
  const [first] = states;
  if (first === undefined || compareResourceVersions(first.resourceVersion, notBefore) > 0) return true;
  return states.some(({ object }, at) => {
    const next = states[at + 1];
    const isOver = next !== undefined && compareResourceVersions(next.resourceVersion, notBefore) <= 0;
    return !isOver && (object === undefined || !matches(object));
  });
}

/** Lists a kind and returns the resourceVersion of the list. */
export async function newestVersion(client: Client, kind: KindRef): Promise<string> {
  for await (const { resourceVersion } of client.live.pages(kind, { limit: 1 })) return resourceVersion;
  throw new Error('a list has at least one page');
}

export function versionOf({ metadata }: KubeObject): string {
  return metadata.resourceVersion ?? '0';
}
export function textOf({ namespace = '', name }: ObjectKey): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}
