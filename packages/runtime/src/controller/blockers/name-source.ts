import type { KindRef } from '@kubewright/api';
import type { BlockerReader } from './blocker-watch.js';

/** The access to foreign objects that have the names of children. */
export interface NameSource {
  readonly live: BlockerReader;
  /** Whether the controller may watch a kind in all namespaces. */
  readonly isClusterWide: (kind: KindRef) => boolean;
}
