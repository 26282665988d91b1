import type { LabelSelector } from '@kubewright/api/selectors';
import type { IndexMatch } from './index-declaration.js';
import type { ReadOptions } from './read-options.js';

/**
 * Which labels an object has to have: equal ones, a selector such as 'tier in (web, db)' or 'tier' for any value, one made by
 * `parseLabelSelector` or `labelSelectorFromObject`, or a list of these, which must all hold.
 */
export type LabelsMatch = Readonly<Record<string, string>> | string | LabelSelector | readonly LabelsMatch[];

/** Which objects are listed. What is left out selects nothing away. */
export interface ListOptions<T> extends ReadOptions {
  /** @default all namespaces that the operator may see */
  readonly namespace?: string | undefined;
  /** Throws INVALID_SELECTOR for what can be no label. @default all objects */
  readonly labels?: LabelsMatch;
  /** Equal fields, or a selector such as 'status.phase!=Running'. Live reads only. @default all objects */
  readonly fields?: Readonly<Record<string, string>> | string;
  /** Objects that an index holds under a value: `{ index: podsByNode('n1') }`; of several, those that all hold. Cached reads only. @default none */
  readonly index?: IndexMatch<T> | readonly IndexMatch<T>[];
  /** No more than so many objects, in no order. @default all */
  readonly limit?: number;
}
