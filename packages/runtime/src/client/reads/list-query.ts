import { fieldSelectorText } from '../../cache/selection/field-match.js';
import { labelSelectorText, readLabels } from '../../cache/store/label-match.js';
import type { ListOptions } from '../../cache/store/list-options.js';

/** The selection of a list, a watch or the deletion of a collection. */
export interface SelectionQuery {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/**
 * Returns the selection as query parameters. Throws INVALID_SELECTOR for an invalid or ambiguous label selector, before the selector is
 * sent to the server.
 */
export function selectionQuery({ labels, fields }: Pick<ListOptions<never>, 'labels' | 'fields'>): SelectionQuery {
  const labelSelector = labelSelectorText(labels);
  const fieldSelector = fieldSelectorText(fields);
  if (labelSelector !== undefined) readLabels(labelSelector);
  return { ...(labelSelector && { labelSelector }), ...(fieldSelector && { fieldSelector }) };
}
