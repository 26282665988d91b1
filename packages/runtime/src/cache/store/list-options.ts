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

/** The options of a list. An option that is not set does not restrict the list. */
export interface ListOptions<T> extends ReadOptions {
  /** The namespace of the objects. @default all namespaces that the operator can access */
  readonly namespace?: string | undefined;
  /** The labels that the objects must have. Throws INVALID_SELECTOR if a label is not valid. @default all objects */
  readonly labels?: LabelsMatch;
  /**
   * The fields that the objects must have, or a selector such as 'status.phase!=Running'. Only live reads support fields. @default all
   * objects
   */
  readonly fields?: Readonly<Record<string, string>> | string;
  /**
   * The index value that the objects must have, such as `{ index: podsByNode('n1') }`. If a list of values is given, the objects must have
   * all of them. Only cached reads support indexes. @default none
   */
  readonly index?: IndexMatch<T> | readonly IndexMatch<T>[];
  /** The maximum number of objects to return. The order is not defined. @default all */
  readonly limit?: number;
}
