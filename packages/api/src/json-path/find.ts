import { parseSteps } from './parse.js';
import type { FilterOperand, FilterOperator, FilterTest, PathStep } from './steps.js';

/**
 * Prepares a JSONPath as printer columns have it (`.spec.replicas`, `.status.conditions[?(@.type=="Ready")].status`,
 * `.items[*].name`, `..name`, `.list[-1]`, `.list[0:2]`, `.metadata.labels['a.b']`), with or without `{}` around it. The
 * result yields every value found in an object, none when a field is missing. Throws INVALID_JSON_PATH.
 */
export function compileJsonPath(path: string): (object: unknown) => readonly unknown[] {
  const text = path.trim();
  const inner = text.startsWith('{') && text.endsWith('}') ? text.slice(1, -1).trim() : text;
  const steps = parseSteps(inner.startsWith('$') || inner.startsWith('@') ? inner.slice(1) : inner);
  return (object) => follow([object], steps, object);
}

function follow(start: readonly unknown[], steps: readonly PathStep[], root: unknown): readonly unknown[] {
  let values = start;
  for (const step of steps) {
    if (values.length === 0) return values;
    values = values.flatMap((value) => take(value, step, root));
  }
  return values;
}

function take(value: unknown, step: PathStep, root: unknown): readonly unknown[] {
  switch (step.kind) {
    case 'field':
      return fieldOf(value, step.name);
    case 'wildcard':
      return childrenOf(value);
    case 'descend':
      return descendantsOf(value);
    case 'index':
      return Array.isArray(value) ? present(value.at(step.index)) : [];
    case 'slice':
      return Array.isArray(value) ? sliceOf(value, step) : [];
    case 'union':
      return step.steps.flatMap((each) => take(value, each, root));
    case 'filter':
      return Array.isArray(value) ? value.filter((item: unknown) => passes(item, step.test, root)) : [];
  }
}

function present(value: unknown): readonly unknown[] {
  return value === undefined ? [] : [value];
}

function fieldOf(value: unknown, name: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) return [];
  return present((value as Readonly<Record<string, unknown>>)[name]);
}

function childrenOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

function descendantsOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...childrenOf(value).flatMap(descendantsOf)];
}

function sliceOf(list: readonly unknown[], step: PathStep & { readonly kind: 'slice' }): readonly unknown[] {
  return list.slice(step.from, step.to).filter((_, index) => index % step.every === 0);
}

function passes(item: unknown, { left, comparison }: FilterTest, root: unknown): boolean {
  const found = operandValues(left, item, root);
  if (comparison === undefined) return found.length > 0;
  const others = operandValues(comparison.right, item, root);
  if (found.length !== 1 || others.length !== 1) return false;
  return compare(found[0], others[0], comparison.operator);
}

function operandValues(operand: FilterOperand, item: unknown, root: unknown): readonly unknown[] {
  if (operand.kind === 'literal') return [operand.value];
  return follow([operand.from === 'root' ? root : item], operand.steps, root);
}

function compare(a: unknown, b: unknown, operator: FilterOperator): boolean {
  if (operator === '==') return a === b;
  if (operator === '!=') return a !== b;
  const numbers = typeof a === 'number' && typeof b === 'number';
  const texts = typeof a === 'string' && typeof b === 'string';
  if (!numbers && !texts) return false;
  if (operator === '<') return a < b;
  if (operator === '<=') return a <= b;
  return operator === '>' ? a > b : a >= b;
}
