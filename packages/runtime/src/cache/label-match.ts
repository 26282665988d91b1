import type { KubeObject } from '@kubewright/api';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import { type LabelSelector, labelSelectorFromObject, parseLabelSelector } from '@kubewright/api/selectors';
import type { LabelsMatch } from './list-options.js';

/** No object has such labels: what a selector that matches nothing is written as, since it has no text of its own. */
const NOTHING = 'kubewright.dev/nothing,!kubewright.dev/nothing';

/** Labels as the API wants to have them; undefined when all objects are meant. Throws INVALID_SELECTOR for what can be no label. */
export function labelSelectorText(labels: LabelsMatch | undefined): string | undefined {
  const text = labels === undefined ? '' : textOf(labels);
  return text === '' ? undefined : text;
}

/** Whether an object has such labels. Throws INVALID_SELECTOR. */
export function labelMatcher(labels: LabelsMatch | undefined): (object: KubeObject) => boolean {
  const text = labelSelectorText(labels);
  if (text === undefined) return () => true;
  const selector = readLabels(text);
  return (object) => selector.matches(object.metadata.labels ?? {});
}

/** The selector that a text says. Throws INVALID_SELECTOR, with the text. */
export function readLabels(text: string): LabelSelector {
  try {
    return parseLabelSelector(text);
  } catch (cause) {
    const example = "write such as 'tier in (web, db)', 'tier=web' or 'tier' for any value";
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
  // Checked, because a value such as 'a, b' would be read as two requirements.
  const selector = isSelector(labels) ? labels : labelSelectorFromObject({ matchLabels: labels });
  return !selector.empty && selector.requirements.length === 0 ? NOTHING : selector.toString();
}

function isList(labels: LabelsMatch): labels is readonly LabelsMatch[] {
  return Array.isArray(labels);
}
function isSelector(labels: Readonly<Record<string, string>> | LabelSelector): labels is LabelSelector {
  return typeof labels.matches === 'function';
}
