import type { KubeObject } from '@kubewright/api';
import type { Change } from '../../cache/store/change.js';
import { RecentEntries } from '../../events/recent-entries.js';
import { isExplainedBy } from './explained-change.js';

const MOST_VERSIONS = 32;
/** The maximum number of tracked objects. If an object is not tracked, its echoes trigger unnecessary reconciles. */
const MOST_OBJECTS = 10_000;

/** A write, as recorded after the server accepted it. */
export interface RecordedWrite {
  /** The epoch of the store at the time of the write. The epoch changes when the store is relisted; undefined during a relist. */
  readonly epoch: number | undefined;
  /** The body of the request: an apply, a merge patch or a whole object. */
  readonly body: unknown;
}
/** A write with the version of the object in the response. */
interface OwnWrite {
  readonly resourceVersion: string;
  readonly epoch: number;
  readonly body: unknown;
}

/** Records the object versions that the reconciles of a controller wrote, to recognize the echoes of these writes in the watch. */
export class OwnWrites {
  /** The writes of each object, from the oldest to the newest. An object usually has one write, so a list is cheaper than a Map. */
  readonly #writes = new RecentEntries<OwnWrite[]>(MOST_OBJECTS);

  /** Records that a reconcile wrote this version of an object. Without an epoch, records nothing. */
  record(id: string, resourceVersion: string, { epoch, body }: RecordedWrite): void {
    if (epoch === undefined) return;
    const write = { resourceVersion, epoch, body };
    const writes = this.#writes.peek(id) ?? [];
    const at = indexOfVersion(writes, resourceVersion);
    if (at >= 0) writes[at] = write;
    else if (writes.push(write) > MOST_VERSIONS) writes.shift();
    this.#writes.set(id, writes);
  }

  /**
   * Whether a change only reflects a recorded write. Returns true once per write. Returns false for deletions and deletion requests, and
   * for a change after a relist, which may combine several versions.
   *
   * The response to a write without effect contains a version that another writer wrote. Therefore, also returns false if the change
   * contains more than the write requested.
   */
  takeEcho(id: string, change: Change<KubeObject>, epoch: number | undefined): boolean {
    if (change.type === 'deleted') this.#writes.delete(id);
    if (change.type === 'deleted') return false;
    const writes = this.#writes.peek(id);
    if (writes === undefined) return false;
    const { object } = change;
    const at = indexOfVersion(writes, object.metadata.resourceVersion);
    const write = writes[at];
    if (write === undefined) return false;
    if (writes.length === 1) this.#writes.delete(id);
    else writes.splice(at, 1);
    if (write.epoch !== epoch) return false;
    if (change.type === 'added') return !change.initial;
    const { old } = change;
    if (old.metadata.uid !== object.metadata.uid) return false;
    if (old.metadata.deletionTimestamp !== object.metadata.deletionTimestamp) return false;
    return isExplainedBy(write.body, old, object);
  }
}

function indexOfVersion(writes: readonly OwnWrite[], resourceVersion: string): number {
  return writes.findIndex((write) => write.resourceVersion === resourceVersion);
}
