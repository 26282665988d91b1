import type { KubeObject } from '@kubewright/api';
import type { Change } from '../cache/change.js';

const MOST_VERSIONS = 32;

/** Versions of objects that came from the reconciles of those very objects, so that their echo on the watch is known. */
export class OwnWrites {
  readonly #versions = new Map<string, Map<string, number>>();

  /** Remembers that a reconcile of the object led to this version. `epoch` changes when the store is filled anew; undefined while it is. */
  record(id: string, resourceVersion: string, epoch: number | undefined): void {
    if (epoch === undefined) return;
    const versions = this.#versions.get(id) ?? new Map<string, number>();
    versions.set(resourceVersion, epoch);
    const [oldest] = versions.keys();
    if (versions.size > MOST_VERSIONS && oldest !== undefined) versions.delete(oldest);
    this.#versions.set(id, versions);
  }

  /**
   * Whether the change is nothing but the echo of an own write; each is recognised once. A change that may hide another one
   * behind it, because the store was filled anew, is never one, nor is the wish to delete.
   */
  takeEcho(id: string, change: Change<KubeObject>, epoch: number | undefined): boolean {
    if (change.type === 'deleted') this.#versions.delete(id);
    if (change.type !== 'modified') return false;
    const versions = this.#versions.get(id);
    const epochThen = versions?.get(change.object.metadata.resourceVersion);
    if (versions === undefined || epochThen === undefined) return false;
    versions.delete(change.object.metadata.resourceVersion);
    if (versions.size === 0) this.#versions.delete(id);
    const { old, object } = change;
    return epochThen === epoch && old.metadata.deletionTimestamp === object.metadata.deletionTimestamp;
  }
}
