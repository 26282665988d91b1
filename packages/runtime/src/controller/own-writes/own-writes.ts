import type { KubeObject } from '@kubewright/api';
import type { Change } from '../../cache/store/change.js';
import { RecentEntries } from '../../events/recent-entries.js';
import { isExplainedBy } from './explained-change.js';

const MOST_VERSIONS = 32;
/** The most objects to track. An echo that is not recognized costs a reconcile. */
const MOST_OBJECTS = 10_000;

/** The data of a write after the response of the server. */
export interface RecordedWrite {
  /** The epoch of the store, which changes when the store is relisted; undefined during a relist. */
  readonly epoch: number | undefined;
  /** The body of the request: an apply, a merge patch or a whole object. */
  readonly body: unknown;
}
type OwnWrite = RecordedWrite & { readonly epoch: number };

/** The object versions that the controller's own reconciles wrote, to recognize their echoes on the watch. */
export class OwnWrites {
  readonly #versions = new RecentEntries<Map<string, OwnWrite>>(MOST_OBJECTS);

  /** Records that a reconcile wrote this version of an object. Records nothing without an epoch. */
  record(id: string, resourceVersion: string, { epoch, body }: RecordedWrite): void {
    if (epoch === undefined) return;
    const versions = this.#versions.peek(id) ?? new Map<string, OwnWrite>();
    versions.set(resourceVersion, { epoch, body });
    const [oldest] = versions.keys();
    if (versions.size > MOST_VERSIONS && oldest !== undefined) versions.delete(oldest);
    this.#versions.set(id, versions);
  }

  /**
   * Whether the change is only the echo of an own write. Each echo is recognized once. A change after a relist may combine several versions
   * and is never an echo. A deletion, or the request for a deletion, is never an echo either. If a write has no effect, its response
   * contains a version that another writer wrote. Therefore, a change that contains more than the write requested is not an echo.
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
