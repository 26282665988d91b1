import { finish, type Steps } from '../../apply/steps.js';
import { ErrorList } from '../../schema/error-list.js';
import type { FieldError, FieldFinding } from '../../schema/field-error.js';
import { fieldErrors } from '../../schema/field-errors.js';
import { childPath, isJsonMap } from '../../schema/json-shape.js';
import type { StructuralSchema } from '../../schema/structural-schema.js';
import {
  type CompiledRule,
  compileRule,
  type ExpressionFault,
  type RuleSubject,
  ruleSubject,
} from './compile-rules.js';
import { FaultyFields } from './faulty-fields.js';
import { MOST } from '../cost/cost-range.js';
import { type FunctionTable, functionTable } from '../check/environment.js';
import { ruleText } from '../../schema/rule-text.js';

const RULES = 'x-kubernetes-validations';
const EXPRESSION_LIMIT = 10_000_000;
const SCHEMA_LIMIT = 100_000_000;
const costLimits = { 'rule-cost': EXPRESSION_LIMIT, 'schema-cost': SCHEMA_LIMIT } as const;

/**
 * Returns the errors in the CEL expressions of a schema, in the wording of the API server. Checks the syntax, the types, the use of
 * oldSelf, and the cost of each rule and of all rules together. `others` contains the errors that earlier checks found within rules, such
 * as an empty rule. If a schema or one of its nested schemas has such an error, the rules of the schema are not checked.
 */
export function checkExpressions(
  schema: StructuralSchema,
  path: string,
  others: readonly FieldError[] = [],
): readonly FieldError[] {
  return finish(checkExpressionsSteps(schema, path, others));
}

/** Checks expressions in steps, at least one for each rule. */
export function* checkExpressionsSteps(
  schema: StructuralSchema,
  path: string,
  others: readonly FieldError[] = [],
): Steps<readonly FieldError[]> {
  const check = new ExpressionCheck(new FaultyFields(others));
  yield* check.visit({ schema, path, root: true, cardinality: 1 });
  check.list.add(check.totalErrors(path));
  return check.list.errors;
}

interface Place {
  readonly schema: StructuralSchema;
  readonly path: string;
  readonly root?: boolean;
  /** The maximum number of values of the schema in one object. Undefined if there is no maximum. */
  readonly cardinality: number | undefined;
  /** The path of the list within which old values cannot be correlated with new values. */
  readonly uncorrelated?: string | undefined;
}

class ExpressionCheck {
  readonly list = new ErrorList();
  readonly #faulty: FaultyFields;
  #functions: FunctionTable | undefined;
  #total = 0;
  #expensive: (readonly [string, number])[] = [];

  constructor(faulty: FaultyFields) {
    this.#faulty = faulty;
  }

  *visit(place: Place): Steps<void> {
    if (this.list.isBreakDue()) yield;
    for (const child of children(place)) yield* this.visit(child);
    const { schema, path, root = false } = place;
    if ((schema[RULES] ?? []).length === 0 || this.#faulty.hasWithin(path)) return;
    this.#functions ??= functionTable();
    const embedded = schema['x-kubernetes-embedded-resource'] === true;
    const subject = ruleSubject(schema, { root: root || embedded, functions: this.#functions });
    yield;
    if (subject === undefined) {
      const why = 'unable to convert structural schema to CEL declarations';
      const text = `internal error: failed to construct type information for x-kubernetes-validations rules: ${why}`;
      this.list.add([fieldErrors.internal(childPath(path, RULES), text)]);
    } else yield* this.#checkRules(subject, place);
  }

  /**
   * Returns the errors if the total cost of all expressions exceeds the limit: one for each of the most expensive expressions (at most
   * four, each with at least 1% of the limit), and one for the total.
   */
  totalErrors(path: string): readonly FieldError[] {
    if (this.#total <= SCHEMA_LIMIT) return [];
    const part = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const whole = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#expensive.map(([at]) => ({
        ...fieldErrors.forbidden(at, part),
        finding: { kind: 'schema-cost-share' } as const,
      })),
      tooCostly('schema-cost', { at: path, name: whole, cost: this.#total }),
    ];
  }

  *#checkRules(subject: RuleSubject, place: Place): Steps<void> {
    for (const [index, rule] of (place.schema[RULES] ?? []).entries()) {
      const compiled = compileRule(rule, subject);
      const at = `${childPath(place.path, RULES)}[${index}]`;
      const cost = times(compiled.maxCost, place.cardinality ?? subject.maxCardinality);
      this.#charge(`${at}.rule`, cost, 'estimated rule cost');
      if (compiled.error !== undefined) this.list.add([ruleError(`${at}.rule`, compiled, compiled.error)]);
      if (compiled.messageError !== undefined) {
        this.list.add([ruleError(`${at}.messageExpression`, compiled, compiled.messageError)]);
      } else if (compiled.message !== undefined) {
        this.#charge(`${at}.messageExpression`, compiled.messageMaxCost, 'estimated messageExpression cost');
      }
      this.#checkOldSelf(compiled, at, place.uncorrelated);
      yield;
    }
  }

  #charge(at: string, cost: number, name: string): void {
    if (cost > EXPRESSION_LIMIT) this.list.add([tooCostly('rule-cost', { at, name, cost })]);
    this.#total = Math.min(MOST, this.#total + cost);
    if (cost < SCHEMA_LIMIT / 100) return;
    this.#expensive.push([at, cost]);
    this.#expensive = this.#expensive.toSorted(([, a], [, b]) => b - a).slice(0, 4);
  }

  #checkOldSelf({ rule, usesOldSelf }: CompiledRule, at: string, uncorrelated: string | undefined): void {
    if (usesOldSelf && uncorrelated !== undefined) {
      const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
      const finding: FieldFinding = { kind: 'uncorrelatable', within: uncorrelated };
      this.list.add([{ ...fieldErrors.invalid(`${at}.rule`, rule.rule, why), finding }]);
    }
    if (usesOldSelf || rule.optionalOldSelf === undefined) return;
    const why = 'may not be set if oldSelf is not used in rule';
    this.list.add([fieldErrors.invalid(`${at}.optionalOldSelf`, rule.optionalOldSelf, why)]);
  }
}

function ruleError(field: string, { rule }: CompiledRule, fault: ExpressionFault): FieldError {
  const message = `Invalid value: ${ruleText(rule)}: ${fault.detail}`;
  return { reason: 'FieldValueInvalid', field, message, finding: { kind: 'expression', ...fault } };
}

function children({ schema, path, cardinality, uncorrelated }: Place): readonly Place[] {
  const { additionalProperties, properties, items } = schema;
  const factor = cardinalityOf(schema);
  const within = cardinality === undefined || factor === undefined ? undefined : times(cardinality, factor);
  const places: Place[] = [];
  if (isJsonMap(additionalProperties)) {
    const at = childPath(path, 'additionalProperties');
    places.push({ schema: additionalProperties, path: at, cardinality: within, uncorrelated });
  }
  for (const [name, property] of Object.entries(properties ?? {})) {
    const at = `${childPath(path, 'properties')}[${name}]`;
    places.push({ schema: property, path: at, cardinality: within, uncorrelated });
  }
  if (isJsonMap(items)) {
    const keyed = schema['x-kubernetes-list-type'] === 'map';
    const lost = uncorrelated ?? (keyed ? undefined : path);
    places.push({ schema: items, path: childPath(path, 'items'), cardinality: within, uncorrelated: lost });
  }
  return places;
}

function cardinalityOf({ type, additionalProperties, maxProperties, maxItems }: StructuralSchema): number | undefined {
  if (type === 'array') return maxItems === undefined ? undefined : Math.max(0, maxItems);
  if (type !== 'object' || additionalProperties === undefined) return 1;
  return maxProperties === undefined ? undefined : Math.max(0, maxProperties);
}

function times(a: number, b: number): number {
  return Math.min(MOST, a * b);
}

function tooCostly(
  kind: keyof typeof costLimits,
  { at, name, cost }: { readonly at: string; readonly name: string; readonly cost: number },
): FieldError {
  const factor = cost / costLimits[kind];
  const text = factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  const hint =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  const error = fieldErrors.forbidden(at, `${name} exceeds budget by factor of ${text} (${hint})`);
  return { ...error, finding: { kind, factor: text } };
}
