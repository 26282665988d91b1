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

/** A selector over labels. An object matches if it meets every requirement. Immutable. */
export interface LabelSelector {
  /** The requirements, sorted by key. */
  readonly requirements: readonly LabelRequirement[];
  /** Whether the selector matches every object, because it has no requirements. */
  readonly empty: boolean;
  matches(labels: Labels): boolean;
  /**
   * Returns the string form, which parses to the same selector. Exception: a selector that matches no object returns '', which parses to a
   * selector that matches every object.
   */
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

/** Returns a selector for validated requirements. */
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
 * Returns the selector for a `metav1.LabelSelector`: `{}` matches every object, undefined matches no object. Throws INVALID_SELECTOR with
 * the text of the API server.
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

/** Returns the requirement of an expression. Omitted fields are empty, as in Go. */
function requirementOf({ key = '', operator = '', values }: Partial<LabelExpression>): LabelRequirement {
  const known = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  if (known === undefined) throw invalidSelector(`${goQuote(operator)} is not a valid label selector operator`);
  return { key, operator: known, values: [...(values ?? [])] };
}

/** Returns the error for an invalid selector. */
export function invalidSelector(text: string): KubewrightError {
  return new KubewrightError('INVALID_SELECTOR', text);
}

/** Formats labels as a selector that requires all of them, sorted by key. Returns '' for no labels. */
export function formatLabels(labels: Readonly<Record<string, string>>): string {
  return Object.keys(labels)
    .toSorted()
    .map((key) => `${key}=${labels[key]}`)
    .join(',');
}
