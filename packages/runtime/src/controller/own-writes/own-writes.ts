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
type OwnWrite = RecordedWrite & { readonly epoch: number };

/** Records the object versions that the reconciles of a controller wrote, to recognize the echoes of these writes in the watch. */
export class OwnWrites {
  readonly #versions = new RecentEntries<Map<string, OwnWrite>>(MOST_OBJECTS);

  /** Records that a reconcile wrote this version of an object. Without an epoch, records nothing. */
  record(id: string, resourceVersion: string, { epoch, body }: RecordedWrite): void {
    if (epoch === undefined) return;
    const versions = this.#versions.peek(id) ?? new Map<string, OwnWrite>();
    versions.set(resourceVersion, { epoch, body });
    if (versions.size > MOST_VERSIONS) {
      const [oldest] = versions.keys();
      if (oldest !== undefined) versions.delete(oldest);
    }
    this.#versions.set(id, versions);
  }

  /**
   * Whether a change only reflects a recorded write. Returns true once per write. Returns false for deletions and deletion requests, and
   * for a change after a relist, which may combine several versions.
   *
   * The response to a write without effect contains a version that another writer wrote. Therefore, also returns false if the change
   * contains more than the write requested.
   */
  takeEcho(id: string, change: Change<KubeObject>, epoch: number | undefined): boolean {
    if (change.type === 'deleted') this.#versions.delete(id);
    if (change.type === 'deleted') return false;
    const versions = this.#versions.peek(id);
    const { object } = change;
    const write = versions?.get(object.metadata.resourceVersion);
    if (versions === undefined || write === undefined) return false;
    versions.delete(object.metadata.resourceVersion);
    if (versions.size === 0) this.#versions.delete(id);
    if (write.epoch !== epoch) return false;
    if (change.type === 'added') return !change.initial;
    const { old } = change;
    if (old.metadata.uid !== object.metadata.uid) return false;
    if (old.metadata.deletionTimestamp !== object.metadata.deletionTimestamp) return false;
    return isExplainedBy(write.body, old, object);
  }
}
