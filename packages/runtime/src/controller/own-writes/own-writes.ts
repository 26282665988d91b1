import type { KubeObject } from '@kubewright/api';
import type { Change } from '../../cache/change.js';
import { RecentEntries } from '../../events/recent-entries.js';
import { isExplainedBy } from './explained-change.js';

const MOST_VERSIONS = 32;
/** An echo that is not recognised costs a reconcile. */
const MOST_OBJECTS = 10_000;

/** What is known of a write when its answer comes. */
export interface RecordedWrite {
  /** Changes when the store is filled anew; undefined while it is. */
  readonly epoch: number | undefined;
  /** What was asked for: an apply, a merge patch or a whole object. */
  readonly body: unknown;
}
type OwnWrite = RecordedWrite & { readonly epoch: number };

/** Versions of objects that came from a controller's own reconciles, so that their echo on the watch is known. */
export class OwnWrites {
  readonly #versions = new RecentEntries<Map<string, OwnWrite>>(MOST_OBJECTS);

  /** Remembers that a reconcile led to this version of an object. Without an epoch nothing is remembered. */
  record(id: string, resourceVersion: string, { epoch, body }: RecordedWrite): void {
    if (epoch === undefined) return;
    const versions = this.#versions.peek(id) ?? new Map<string, OwnWrite>();
    versions.set(resourceVersion, { epoch, body });
    const [oldest] = versions.keys();
    if (versions.size > MOST_VERSIONS && oldest !== undefined) versions.delete(oldest);
    this.#versions.set(id, versions);
  }

  /**
   * Whether the change is nothing but the echo of an own write; each is recognised once. A change that may hide another one
   * behind it, because the store was filled anew, is never one, nor is the wish to delete. A write that changed nothing is
   * answered with a version that somebody else made: where more differs than was asked for, it is theirs.
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
