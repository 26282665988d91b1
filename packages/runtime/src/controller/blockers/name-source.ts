import type { KindRef } from '@kubewright/api';
import type { BlockerReader } from './blocker-watch.js';

/** Reads and watches foreign objects that use the names of children. */
export interface NameSource {
  readonly live: BlockerReader;
  /** Whether the controller may watch the kind in all namespaces. */
  readonly isClusterWide: (kind: KindRef) => boolean;
}
