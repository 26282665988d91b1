import type { LabelSelector } from '@kubewright/api/selectors';
import type { IndexMatch } from './index-declaration.js';
import type { ReadOptions } from './read-options.js';

/**
 * The labels that an object must have, in one of these forms:
 * - a map of the labels and their values
 * - a selector, such as 'tier in (web, db)', or 'tier' for any value
 * - the result of `parseLabelSelector` or `labelSelectorFromObject`
 * - a list of these forms; an object must match all entries
 */
export type LabelsMatch = Readonly<Record<string, string>> | string | LabelSelector | readonly LabelsMatch[];

/** Selects the listed objects. A missing option does not restrict the selection. */
export interface ListOptions<T> extends ReadOptions {
  /** @default all namespaces that the operator can access */
  readonly namespace?: string | undefined;
  /** The read throws INVALID_SELECTOR if a label is not valid. @default all objects */
  readonly labels?: LabelsMatch;
  /** The fields that the objects must have, or a selector such as 'status.phase!=Running'. Live reads only. @default all objects */
  readonly fields?: Readonly<Record<string, string>> | string;
  /**
   * Selects the objects of an index value, such as `{ index: podsByNode('n1') }`. With several values, an object must match all of them.
   * Cached reads only. @default none
   */
  readonly index?: IndexMatch<T> | readonly IndexMatch<T>[];
  /** The maximum number of objects, in no defined order. @default all */
  readonly limit?: number;
}
