import type { Correlation } from '../../schema/correlation.js';
import type { FieldError } from '../../schema/field-error.js';
import { fieldErrors } from '../../schema/field-errors.js';
import { goQuote } from '../../schema/go-text.js';
import { childPath, isJsonMap } from '../../schema/json-shape.js';
import { finish, type Steps } from '../../apply/steps.js';
import type { CompiledExpression, Outcome } from '../evaluate/compile-expression.js';
import type { EvaluationLimits } from '../evaluate/frame.js';
import { CelError } from '../values/cel-error.js';
import { CelOptional, type CelValue } from '../values/cel-value.js';
import type { CompiledRule } from './compile-rules.js';
import type { RuleNode } from './rule-node.js';
import { ruleName } from '../../schema/rule-text.js';

const BUDGET = 10_000_000;
/**
 * The number of units of cost and work between two breaks. This work takes up to 0.1 ms, or longer if it consists of a single long call.
 */
const BREAK_INTERVAL = 1000;
const LONGEST_MESSAGE = 5 * 1024;
const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** A value for which rules are evaluated, its path, and its previous value. */
export interface RulePlace {
  readonly path: string;
  readonly value: unknown;
  readonly old: unknown;
  /** The correlation with the old object. Undefined if the old value cannot be identified. */
  readonly current: Correlation | undefined;
  /** The correlation of the nearest containing value that can be identified. */
  readonly around?: Correlation | undefined;
  readonly root?: boolean;
}

/** The limits of a validation. */
export type RuleRunLimits = Pick<EvaluationLimits, 'nowMs'>;

/** Thrown to stop the evaluation of further rules. */
class Stop extends Error {}

/** One validation of an object with rules: the errors, the warnings and the remaining cost budget. */
export class RuleRun {
  readonly errors: FieldError[] = [];
  readonly warnings: string[] = [];
  readonly #limits: EvaluationLimits;
  #budget = BUDGET;
  #effort = 0;

  /** @param limits.nowMs a monotonic clock in milliseconds; if set, an evaluation that takes more than 30 ms throws TakesLong */
  constructor(limits: RuleRunLimits = {}) {
    this.#limits = limits;
  }

  /** Evaluates the rules of a node for a value, and the rules of nested nodes for nested values. */
  visit(node: RuleNode, place: RulePlace): void {
    finish(this.visitSteps(node, place));
  }

  /**
   * Evaluates rules in steps, with a break after about 1,000 units of cost and work. Throws TakesLong if `nowMs` is set and an evaluation
   * takes too long.
   */
  *visitSteps(node: RuleNode, place: RulePlace): Steps<void> {
    const visits: Visit[] = [];
    collect(node, place, visits);
    try {
      for (const visit of visits) {
        const subject = this.#subject(visit);
        for (const compiled of visit.node.rules) {
          this.#apply(compiled, visit.place, subject);
          if (this.#isBreakDue()) yield;
        }
      }
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
    }
  }

  #subject({ node, place }: Visit): Subject {
    const type = node.schema.type ?? '';
    if (this.#budget <= 0) this.#exhausted(place.path, type);
    const hasOld = node.usesOldSelf && place.old !== undefined && place.old !== null;
    return {
      type,
      self: node.reader.read(place.value),
      oldSelf: hasOld ? node.reader.read(place.old) : undefined,
    };
  }

  #apply(compiled: CompiledRule, place: RulePlace, { type, self, oldSelf }: Subject): void {
    const { rule, usesOldSelf } = compiled;
    const optional = rule.optionalOldSelf === true;
    if (usesOldSelf && oldSelf === undefined && !optional) return;
    const old = optional ? new CelOptional(oldSelf) : (oldSelf ?? null);
    this.#applyRule(compiled, place, { type, values: [self, old], plain: [self, oldSelf ?? null] });
  }

  #isBreakDue(): boolean {
    if (this.#effort < BREAK_INTERVAL) return false;
    this.#effort = 0;
    return true;
  }

  #evaluate(expression: CompiledExpression, values: readonly CelValue[]): Outcome {
    const outcome = expression.evaluate(values, this.#limits);
    this.#effort += outcome.effort;
    return outcome;
  }

  #exhausted(path: string, type: string): never {
    this.errors.push(fieldErrors.invalid(path, type, OUT_OF_BUDGET));
    throw new Stop();
  }

  #applyRule(compiled: CompiledRule, place: RulePlace, { type, values, plain }: Arguments): void {
    const { rule, expression, error } = compiled;
    const { path } = place;
    if (expression === undefined) {
      this.errors.push(fieldErrors.invalid(path, type, `rule compile error: ${error?.detail ?? ''}`));
      return;
    }
    const { value, cost, exceeded } = this.#evaluate(expression, values);
    if (cost > this.#budget) this.#exhausted(path, type);
    this.#budget -= cost;
    if (value instanceof CelError) {
      this.errors.push(fieldErrors.invalid(path, type, failure(value, ruleName(rule), exceeded)));
      if (exceeded) throw new Stop();
      return;
    }
    if (value !== true) this.#refuse(compiled, place, { type, values, plain });
  }

  #refuse(compiled: CompiledRule, place: RulePlace, { type, plain }: Arguments): void {
    const { rule, fieldPath } = compiled;
    const path = joined(place.path, fieldPath);
    const message = this.#message(compiled, plain);
    if (typeof message === 'object') {
      this.#add(compiled, place, fieldErrors.invalid(path, type, message.fatal));
      throw new Stop();
    }
    const { message: ruleMessage = '' } = rule;
    const detail = message ?? (ruleMessage === '' ? `failed rule: ${ruleName(rule)}` : ruleMessage.trim());
    this.#add(compiled, place, errorOf(rule.reason, { path, detail, value: place.value, type }));
  }

  #add(compiled: CompiledRule, { current, around }: RulePlace, error: FieldError): void {
    const unchanged = (current ?? around)?.unchanged === true;
    if (!compiled.usesOldSelf && unchanged) this.warnings.push(`${error.field}: ${error.message}`);
    else this.errors.push(error);
  }

  /**
   * Returns the result of a message expression. Returns undefined if the rule does not have a message expression, or if the result is not a
   * valid message. `fatal` is the error that stops the validation.
   */
  #message(
    { message, rule }: CompiledRule,
    values: readonly CelValue[],
  ): string | undefined | { readonly fatal: string } {
    if (message === undefined) return undefined;
    const { value, cost, exceeded } = this.#evaluate(message, values);
    if (cost > this.#budget) {
      return {
        fatal:
          'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
      };
    }
    if (exceeded) {
      const source = goQuote(rule.messageExpression ?? '');
      return {
        fatal: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${source}`,
      };
    }
    this.#budget -= cost;
    if (typeof value !== 'string') return undefined;
    const text = value.trim();
    return text === '' || text.includes('\n') || Buffer.byteLength(text) > LONGEST_MESSAGE ? undefined : text;
  }
}

/** A value and the rules to evaluate for it. */
interface Visit {
  readonly node: RuleNode;
  readonly place: RulePlace;
}

/** A value and its previous value, as CEL values. */
interface Subject {
  readonly type: string;
  readonly self: CelValue;
  readonly oldSelf: CelValue | undefined;
}

interface Arguments {
  readonly type: string;
  readonly values: readonly CelValue[];
  /** The values for the message, in which an optional oldSelf is not wrapped. */
  readonly plain: readonly CelValue[];
}

/** Adds a visit for the value of the place and for each of its nested values, if the value has rules. */
function collect(node: RuleNode, place: RulePlace, visits: Visit[]): void {
  const { value } = place;
  if (value === null || value === undefined) return;
  if (node.rules.length > 0) visits.push({ node, place });
  if (Array.isArray(value)) collectItems(node, place, visits);
  else if (isJsonMap(value)) collectFields(node, place, visits);
}

function collectItems({ items }: RuleNode, place: RulePlace, visits: Visit[]): void {
  const { path, value: list, current } = place;
  if (items === undefined || !Array.isArray(list)) return;
  const around = current ?? place.around;
  list.forEach((value: unknown, index) => {
    const inner = current?.index(index);
    collect(items, { path: `${path}[${index}]`, value, old: inner?.old, current: inner, around }, visits);
  });
}

function collectFields(node: RuleNode, place: RulePlace, visits: Visit[]): void {
  const map = isJsonMap(place.value) ? place.value : {};
  const old = isJsonMap(place.old) ? place.old : {};
  for (const [name, value] of Object.entries(map)) {
    const child = node.properties.get(name) ?? node.values;
    if (child === undefined) continue;
    const path = node.properties.has(name) ? childPath(place.path, name) : `${place.path}[${name}]`;
    const previous = Object.hasOwn(old, name) ? old[name] : undefined;
    collect(child, { path, value, old: previous, ...within(place, name) }, visits);
  }
}

function within({ current, around, root = false }: RulePlace, name: string): Pick<RulePlace, 'current' | 'around'> {
  if (current === undefined) return { current, around };
  // The apiVersion and kind are not correlated, because the new and the old object can have different versions.
  if (root && (name === 'apiVersion' || name === 'kind')) return { current: undefined };
  return { current: current.key(name), around: current };
}

function joined(path: string, fieldPath: string): string {
  if (fieldPath === '') return path;
  return path === '' ? fieldPath : `${path}.${fieldPath}`;
}

function failure({ message: why, isNoOverload }: CelError, rule: string, exceeded: boolean): string {
  if (exceeded) {
    return `'${why}': no further validation rules will be run due to call cost exceeds limit for rule: ${rule}`;
  }
  if (!isNoOverload) return `${why} evaluating rule: ${rule}`;
  return `'${why}': call arguments did not match a supported operator, function or macro signature for rule: ${rule}`;
}

interface Refusal {
  readonly path: string;
  readonly detail: string;
  readonly value: unknown;
  readonly type: string;
}

function errorOf(reason: string | undefined, { path, detail, value, type }: Refusal): FieldError {
  const field = path === '' ? '<nil>' : path;
  const omitted = type === 'object' || type === 'array';
  switch (reason) {
    case 'FieldValueForbidden':
      return fieldErrors.forbidden(path, detail);
    case 'FieldValueRequired':
      return fieldErrors.required(path, detail);
    case 'FieldValueDuplicate':
      if (!omitted) return fieldErrors.duplicate(path, value);
      return { reason: 'FieldValueDuplicate', field, message: 'Duplicate value' };
    default:
      if (!omitted) return fieldErrors.invalid(path, value, detail);
      return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${detail}` };
  }
}
