import type { KubeObject } from '@kubewright/api';
import type { InformerOptions } from './cache.js';
import type { Index } from './index-declaration.js';
import type { ListOptions } from './list-options.js';

/** The objects of a kind that are declared, and how they are found. */
export interface AcquireOptions<T extends KubeObject> {
  /** @default those of the cache */
  readonly namespaces?: readonly string[] | undefined;
  /** Equal labels, or a selector. @default all objects */
  readonly labels?: ListOptions<T>['labels'];
  /** Equal fields, or a selector. @default all objects */
  readonly fields?: InformerOptions<T>['fields'];
  /** Only the objects that `SharedInformer.selectKeys` names later. @default false */
  readonly byKeys?: boolean;
  readonly indexes?: readonly Index<T>[];
  /** Nothing but metadata is read, so that the options of the cache may leave out the rest. @default false */
  readonly metadataSuffices?: boolean;
}
