import type { KubeObject } from '@kubewright/api';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import { type LabelSelector, labelSelectorFromObject, parseLabelSelector } from '@kubewright/api/selectors';
import type { LabelsMatch } from './list-options.js';

/**
 * Represents a selector that selects nothing. The API has no syntax for such a selector, but no object satisfies both of these
 * requirements.
 */
const NOTHING = 'kubewright.dev/nothing,!kubewright.dev/nothing';

/**
 * Returns a label selector in the syntax of the API. Returns undefined if all objects are selected. Throws INVALID_SELECTOR if a label is
 * not valid.
 */
export function labelSelectorText(labels: LabelsMatch | undefined): string | undefined {
  const text = labels === undefined ? '' : textOf(labels);
  return text === '' ? undefined : text;
}

/** Returns a function that tests whether an object matches a label selector. Throws INVALID_SELECTOR if the selector is not valid. */
export function labelMatcher(labels: LabelsMatch | undefined): (object: KubeObject) => boolean {
  const text = labelSelectorText(labels);
  if (text === undefined) return () => true;
  const selector = readLabels(text);
  return (object) => selector.matches(object.metadata.labels ?? {});
}

/** Parses a label selector. Throws INVALID_SELECTOR; the message contains the selector. */
export function readLabels(text: string): LabelSelector {
  try {
    return parseLabelSelector(text);
  } catch (cause) {
    const example = "for example, use 'tier in (web, db)', 'tier=web', or 'tier' for any value";
    const message = `cannot read the label selector '${text}': ${messageOf(cause)}; ${example}`;
    throw new KubewrightError('INVALID_SELECTOR', message, { cause });
  }
}

function textOf(labels: LabelsMatch): string {
  if (typeof labels === 'string') return labels.trim();
  if (isList(labels)) {
    const texts = labels.map(textOf);
    return texts.filter((text) => text !== '').join(',');
  }
  // Validates the labels. Otherwise, a value such as 'a, b' would be parsed as two requirements.
  const selector = isSelector(labels) ? labels : labelSelectorFromObject({ matchLabels: labels });
  return !selector.empty && selector.requirements.length === 0 ? NOTHING : selector.toString();
}

function isList(labels: LabelsMatch): labels is readonly LabelsMatch[] {
  return Array.isArray(labels);
}
function isSelector(labels: Readonly<Record<string, string>> | LabelSelector): labels is LabelSelector {
  return typeof labels.matches === 'function';
}
