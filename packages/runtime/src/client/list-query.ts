import { fieldSelectorText } from '../cache/field-match.js';
import { labelSelectorText, readLabels } from '../cache/label-match.js';
import type { ListOptions } from '../cache/list-options.js';

/** What a list, a watch or the deletion of a collection selects. */
export interface SelectionQuery {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/**
 * The selection as query parameters, checked, so that a selector which says something else than it seems to never reaches the
 * server. Throws INVALID_SELECTOR.
 */
export function selectionQuery({ labels, fields }: Pick<ListOptions<never>, 'labels' | 'fields'>): SelectionQuery {
  const labelSelector = labelSelectorText(labels);
  const fieldSelector = fieldSelectorText(fields);
  if (labelSelector !== undefined) readLabels(labelSelector);
  return { ...(labelSelector && { labelSelector }), ...(fieldSelector && { fieldSelector }) };
}
