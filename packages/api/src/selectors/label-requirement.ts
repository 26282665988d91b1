import { goJson, goQuote } from '../schema/go-text.js';
import { labelValueErrors, qualifiedNameErrors } from '../names/label-names.js';

/** The comparison operator of a requirement. */
export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** One term of a label selector. In a selector that is parsed from a string, `values` is sorted and has no duplicates. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/**
 * Returns the errors in a requirement as one message in the wording of the API server. Each error starts with its path. Returns undefined
 * for a valid requirement.
 */
export function requirementError({ key, operator, values }: LabelRequirement): string | undefined {
  const errors: string[] = [];
  const keyErrors = qualifiedNameErrors(key);
  if (keyErrors.length > 0) errors.push(`key: Invalid value: ${goQuote(key)}: ${keyErrors.join('; ')}`);
  const counted = countError(operator, values);
  if (counted !== undefined) errors.push(`values: Invalid value: ${goJson(values)}: ${counted}`);
  if (operator === 'gt' || operator === 'lt') {
    values.forEach((value, index) => {
      if (integer(value) !== undefined) return;
      const rule = "for 'Gt', 'Lt' operators, the value must be an integer";
      errors.push(`values[${index}]: Invalid value: ${goQuote(value)}: ${rule}`);
    });
  }
  values.forEach((value, index) => {
    const wrong = labelValueErrors(value);
    if (wrong.length > 0) {
      errors.push(`values[${index}][${key}]: Invalid value: ${goQuote(value)}: ${wrong.join('; ')}`);
    }
  });
  if (errors.length === 0) return undefined;
  return errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`;
}

function countError(operator: LabelOperator, values: readonly string[]): string | undefined {
  switch (operator) {
    case 'in':
    case 'notin':
      return values.length === 0 ? "for 'in', 'notin' operators, values set can't be empty" : undefined;
    case 'exists':
    case '!':
      return values.length > 0 ? 'values set must be empty for exists and does not exist' : undefined;
    case 'gt':
    case 'lt':
      return values.length === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required";
    default:
      return values.length === 1 ? undefined : 'exact-match compatibility requires one single value';
  }
}

/** Returns a function that tests whether labels meet a requirement. The values are prepared once, so that each test is fast. */
export function requirementTest({ key, operator, values }: LabelRequirement): (labels: Labels) => boolean {
  const [only] = values;
  switch (operator) {
    case 'exists':
      return (labels) => labelOf(labels, key) !== undefined;
    case '!':
      return (labels) => labelOf(labels, key) === undefined;
    case 'gt':
    case 'lt':
      return comparison(key, operator, only ?? '');
    case 'notin':
    case '!=': {
      const holds = oneOf(values);
      return (labels) => {
        const value = labelOf(labels, key);
        return value === undefined || !holds(value);
      };
    }
    default: {
      const holds = oneOf(values);
      return (labels) => {
        const value = labelOf(labels, key);
        return value !== undefined && holds(value);
      };
    }
  }
}

/** The labels of an object. A missing label is undefined. */
export type Labels = Readonly<Record<string, string | undefined>>;

function labelOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function oneOf(values: readonly string[]): (value: string) => boolean {
  const [only] = values;
  if (values.length === 1) return (value) => value === only;
  const set = new Set(values);
  return (value) => set.has(value);
}

function comparison(key: string, operator: 'gt' | 'lt', limitText: string): (labels: Labels) => boolean {
  const limit = integer(limitText);
  return (labels) => {
    const value = integer(labelOf(labels, key) ?? '');
    if (value === undefined || limit === undefined) return false;
    return operator === 'gt' ? value > limit : value < limit;
  };
}

function integer(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  if (text.replace(/^[+-]?0*/, '').length > 19) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value === BigInt.asIntN(64, value) ? value : undefined;
}

/** Formats a requirement as a string, such as `tier in (a,b)`. */
export function requirementText({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values.join(',')})`;
    case 'gt':
      return `${key}>${values.join(',')}`;
    case 'lt':
      return `${key}<${values.join(',')}`;
    default:
      return `${key}${operator}${values.join(',')}`;
  }
}
