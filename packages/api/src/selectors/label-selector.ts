import { KubewrightError } from '../errors/kubewright-error.js';
import { goQuote } from '../schema/go-text.js';
import {
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  requirementError,
  requirementTest,
  requirementText,
} from './label-requirement.js';

/** A selector over labels: every requirement must hold. Immutable. */
export interface LabelSelector {
  /** Sorted by key. */
  readonly requirements: readonly LabelRequirement[];
  /** Whether everything matches because nothing is required. */
  readonly empty: boolean;
  matches(labels: Labels): boolean;
  /** The text form, which parses to the same selector. */
  toString(): string;
}

/** A `metav1.LabelSelector`. */
export interface LabelSelectorObject {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  readonly matchExpressions?: readonly LabelExpression[] | undefined;
}
export interface LabelExpression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

/** A selector of checked requirements. */
export function selectorOf(requirements: readonly LabelRequirement[]): LabelSelector {
  const sorted = requirements.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const tests = sorted.map(requirementTest);
  return Object.freeze({
    requirements: sorted,
    empty: sorted.length === 0,
    matches: (labels: Labels) => {
      for (const test of tests) if (!test(labels)) return false;
      return true;
    },
    toString: () => sorted.map(requirementText).join(','),
  });
}

const nothing: LabelSelector = Object.freeze({
  requirements: [],
  empty: false,
  matches: () => false,
  toString: () => '',
});

const operators: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/**
 * The selector that an object describes: `{}` matches everything, undefined matches nothing. Throws INVALID_SELECTOR
 * with the API server's text.
 */
export function labelSelectorFromObject(selector: LabelSelectorObject | undefined): LabelSelector {
  if (selector === undefined) return nothing;
  const equal = Object.entries(selector.matchLabels ?? {}).map(
    ([key, value]): LabelRequirement => ({ key, operator: '=', values: [value] }),
  );
  const expressions = (selector.matchExpressions ?? []).map(requirementOf);
  const requirements = [...equal, ...expressions];
  for (const requirement of requirements) {
    const error = requirementError(requirement);
    if (error !== undefined) throw invalidSelector(error);
  }
  return selectorOf(requirements);
}

/** What a client leaves out is empty, as in Go. */
function requirementOf({ key = '', operator = '', values }: Partial<LabelExpression>): LabelRequirement {
  const known = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  if (known === undefined) throw invalidSelector(`${goQuote(operator)} is not a valid label selector operator`);
  return { key, operator: known, values: [...(values ?? [])] };
}

/** The error of a selector that cannot be read. */
export function invalidSelector(text: string): KubewrightError {
  return new KubewrightError('INVALID_SELECTOR', text);
}

/** Labels as the text of the selector that requires all of them, sorted by key; '' for none. */
export function formatLabels(labels: Readonly<Record<string, string>>): string {
  return Object.keys(labels)
    .toSorted()
    .map((key) => `${key}=${labels[key]}`)
    .join(',');
}
