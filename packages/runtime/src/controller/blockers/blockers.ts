import type { ObjectKey } from '@kubewright/api';
import { formatKey } from '../../cache/store/object-key.js';
import { type Blocker, BlockerWatch, type BlockerWatchOptions } from './blocker-watch.js';

/** The maximum number of watches by name. If `isClusterWide` is true, also the maximum number of watches by namespace. */
const MOST_WATCHES = 20;

/** The scopes that one watch can have: one name, one namespace, or the whole cluster. */
const BREADTHS = ['name', 'namespace', 'cluster'] as const;
type Breadth = (typeof BREADTHS)[number];

export interface BlockersOptions extends Omit<BlockerWatchOptions, 'selection'> {
  /** Whether a watch may cover the whole cluster. */
  readonly isClusterWide: boolean;
}

/**
 * Watches the foreign objects of one kind that use the names of children. Up to 20 foreign objects have one watch each. Above this limit,
 * each namespace has one watch. If there are more than 20 namespaces and `isClusterWide` is true, one watch covers the whole cluster. If
 * `isClusterWide` is false, each namespace keeps its own watch. If the number of foreign objects drops to 10, each object has its own watch
 * again.
 */
export class Blockers {
  readonly #options: BlockersOptions;
  readonly #blockers = new Map<string, Blocker>();
  readonly #watches = new Map<string, BlockerWatch>();
  readonly #ending = new Set<Promise<void>>();
  #breadth: Breadth = 'name';

  constructor(options: BlockersOptions) {
    this.#options = options;
  }

  add(blocker: Blocker): void {
    this.#blockers.set(formatKey(blocker.key), blocker);
    const isNew = !this.#watches.has(selectionKey(this.#breadth, blocker.key));
    if (isNew && this.#watches.size >= MOST_WATCHES && this.#breadth !== this.#widest) this.#regroup();
    else this.#follow(blocker);
  }

  delete(key: ObjectKey): void {
    if (!this.#blockers.delete(formatKey(key))) return;
    const at = selectionKey(this.#breadth, key);
    const watch = this.#watches.get(at);
    watch?.delete(key);
    if (watch?.isEmpty) {
      this.#watches.delete(at);
      this.#end(watch);
    }
    if (this.#breadth !== 'name' && this.#blockers.size <= MOST_WATCHES / 2) this.#regroup();
  }

  /** Stops all watches. Resolves when they have ended. */
  async close(): Promise<void> {
    this.#blockers.clear();
    this.#endAll();
    await Promise.all(this.#ending);
  }

  get #widest(): Breadth {
    return this.#options.isClusterWide ? 'cluster' : 'namespace';
  }

  #follow(blocker: Blocker): void {
    const at = selectionKey(this.#breadth, blocker.key);
    const watch = this.#watches.get(at) ?? this.#watch(blocker.key);
    this.#watches.set(at, watch);
    watch.add(blocker);
  }

  #watch({ name, namespace }: ObjectKey): BlockerWatch {
    const selection = {
      ...(namespace !== undefined && this.#breadth !== 'cluster' && { namespace }),
      ...(this.#breadth === 'name' && { fields: { 'metadata.name': name } }),
    };
    const onFreed = (key: ObjectKey): void => {
      this.delete(key);
      this.#options.onFreed(key);
    };
    return new BlockerWatch({ ...this.#options, selection, onFreed });
  }

  /**
   * Replaces all watches. Uses the narrowest scope that needs at most 20 watches, or the widest allowed scope if every scope needs more.
   */
  #regroup(): void {
    this.#endAll();
    const blockers = [...this.#blockers.values()];
    const fits = (breadth: Breadth): boolean =>
      new Set(blockers.map(({ key }) => selectionKey(breadth, key))).size <= MOST_WATCHES;
    this.#breadth = BREADTHS.find((breadth) => breadth === this.#widest || fits(breadth)) ?? this.#widest;
    for (const blocker of blockers) this.#follow(blocker);
  }

  #endAll(): void {
    for (const watch of this.#watches.values()) this.#end(watch);
    this.#watches.clear();
  }
  #end(watch: BlockerWatch): void {
    const ended = watch.close().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }
}

/** Returns a string that identifies the watch for a key. Keys with the same string share one watch. */
function selectionKey(breadth: Breadth, key: ObjectKey): string {
  if (breadth === 'name') return formatKey(key);
  return breadth === 'namespace' ? (key.namespace ?? '') : '';
}
