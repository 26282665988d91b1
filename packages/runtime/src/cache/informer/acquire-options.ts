import type { KubeObject } from '@kubewright/api';
import type { InformerOptions } from './informer.js';
import type { Index } from '../store/index-declaration.js';
import type { ListOptions } from '../store/list-options.js';

/** The declared objects of a kind, and the indexes for them. */
export interface AcquireOptions<T extends KubeObject> {
  /** @default the namespaces of the cache */
  readonly namespaces?: readonly string[] | undefined;
  /** The labels that the objects must have, or a selector. @default all objects */
  readonly labels?: ListOptions<T>['labels'];
  /** The fields that the objects must have, or a selector. @default all objects */
  readonly fields?: InformerOptions<T>['fields'];
  /** Selects only the objects that `InformerHandle.selectKeys` names later. @default false */
  readonly byKeys?: boolean;
  readonly indexes?: readonly Index<T>[];
  /** Whether the declaration needs only metadata, so that the options of the cache may omit the other fields. @default false */
  readonly metadataSuffices?: boolean;
}
