import type { KubeObject } from '@kubewright/api';
import type { Change } from '../cache/change.js';
import { desiredStateDiffers } from './desired-state.js';

const MOST_VERSIONS = 32;

/** What is known of a write when its answer comes. */
export interface RecordedWrite {
  /** Changes when the store is filled anew; undefined while it is. */
  readonly epoch: number | undefined;
  /** Whether it went to the status alone. */
  readonly ofStatus: boolean;
}
type OwnWrite = RecordedWrite & { readonly epoch: number };

/** Versions of objects that came from the reconciles of those very objects, so that their echo on the watch is known. */
export class OwnWrites {
  readonly #versions = new Map<string, Map<string, OwnWrite>>();

  /** Remembers that a reconcile of the object led to this version. Without an epoch nothing is remembered. */
  record(id: string, resourceVersion: string, { epoch, ofStatus }: RecordedWrite): void {
    if (epoch === undefined) return;
    const versions = this.#versions.get(id) ?? new Map<string, OwnWrite>();
    versions.set(resourceVersion, { epoch, ofStatus });
    const [oldest] = versions.keys();
    if (versions.size > MOST_VERSIONS && oldest !== undefined) versions.delete(oldest);
    this.#versions.set(id, versions);
  }

  /**
   * Whether the change is nothing but the echo of an own write; each is recognised once. A change that may hide another one
   * behind it, because the store was filled anew, is never one, nor is the wish to delete. A write of a status that changed
   * nothing is answered with a version that somebody else made: where more than the status differs, it is theirs.
   */
  takeEcho(id: string, change: Change<KubeObject>, epoch: number | undefined): boolean {
    if (change.type === 'deleted') this.#versions.delete(id);
    if (change.type !== 'modified') return false;
    const versions = this.#versions.get(id);
    const write = versions?.get(change.object.metadata.resourceVersion);
    if (versions === undefined || write === undefined) return false;
    versions.delete(change.object.metadata.resourceVersion);
    if (versions.size === 0) this.#versions.delete(id);
    const { old, object } = change;
    if (write.epoch !== epoch || old.metadata.deletionTimestamp !== object.metadata.deletionTimestamp) return false;
    return !write.ofStatus || !desiredStateDiffers(old, object);
  }
}
