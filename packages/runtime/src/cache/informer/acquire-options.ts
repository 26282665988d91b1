import type { KubeObject } from '@kubewright/api';
import type { InformerOptions } from './informer.js';
import type { Index } from '../store/index-declaration.js';
import type { ListOptions } from '../store/list-options.js';

/** The options of `InformerCache.acquire`: which objects of a kind are declared, and their indexes. */
export interface AcquireOptions<T extends KubeObject> {
  /** The namespaces of the objects. @default the namespaces of the cache */
  readonly namespaces?: readonly string[] | undefined;
  /** The labels that the objects must have, or a selector. @default all objects */
  readonly labels?: ListOptions<T>['labels'];
  /** The fields that the objects must have, or a selector. @default all objects */
  readonly fields?: InformerOptions<T>['fields'];
  /** Whether to select only the objects whose keys are later passed to `InformerHandle.selectKeys`. @default false */
  readonly byKeys?: boolean;
  readonly indexes?: readonly Index<T>[];
  /** Whether metadata is sufficient. The cache may then omit all other fields. @default false */
  readonly metadataSuffices?: boolean;
}
