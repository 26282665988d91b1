import {
  AuthorizerValue,
  type Authorize,
  type CheckedResource,
  ResourceCheckValue,
} from '../library/authorizer-values.js';
import { CelError } from '../values/cel-error.js';
import type { CelValue } from '../values/cel-value.js';
import { readJson } from '../values/json-values.js';
import type { AdmissionCompiler, AdmissionExpression } from './admission-compiler.js';
import { VariablesValue } from './variables-value.js';

/** The cost budget of one request for the conditions of one webhook or policy. */
export const CONDITIONS_BUDGET = 2_500_000;

/** The cost budget of one request for the validations of a policy with one binding, or for one mutation. */
export const POLICY_BUDGET = 10_000_000;

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** The data of one request, as JSON values. A missing value is null in expressions. */
export interface AdmissionBindings {
  /** The new object. Undefined for DELETE. */
  readonly object?: unknown;
  /** The current object. Undefined for CREATE and CONNECT. */
  readonly oldObject?: unknown;
  /** The fields of `request` of an AdmissionReview. */
  readonly request: unknown;
  /** The namespace of the object. Undefined for cluster-scoped objects, and for all match conditions. */
  readonly namespaceObject?: unknown;
  /** The parameters of the binding of a policy. */
  readonly params?: unknown;
  /** Answers the checks of `authorizer`. If undefined, an expression that reads `authorizer` fails. */
  readonly authorize?: Authorize;
  /** The resource of `authorizer.requestResource`: the resource of the request. */
  readonly requestResource?: Pick<CheckedResource, 'group' | 'resource' | 'subresource' | 'namespace' | 'name'>;
}

/** The result of an expression: its value, or its error in the wording of kube-apiserver. */
export type EvaluationResult =
  | { readonly value: CelValue }
  /** `exceeded` is true if the evaluation was stopped because it exceeded the cost limit of one expression. */
  | { readonly error: string; readonly exceeded?: true };

/** Thrown if the expressions of a request exceed their cost budget. The message has the wording of kube-apiserver. */
export class OutOfBudget extends Error {
  constructor() {
    super(outOfBudget);
  }
}

/**
 * Evaluates expressions for one request with a common cost budget. Each variable of the compiler is evaluated at most once, when an
 * expression reads it for the first time.
 */
export class AdmissionEvaluation {
  readonly #compiler: AdmissionCompiler;
  readonly #values: ReadonlyMap<string, CelValue>;
  #budget: number;
  #variableCost = 0;
  readonly #running = new Set<string>();

  /**
   * @param compiler the compiler of the expressions
   * @param bindings the data of the request
   * @param budget the cost budget: `CONDITIONS_BUDGET`, `POLICY_BUDGET`, or the budget that another evaluation left
   */
  constructor(compiler: AdmissionCompiler, bindings: AdmissionBindings, budget: number) {
    this.#compiler = compiler;
    this.#budget = budget;
    this.#values = new Map([
      ...valuesOf(bindings),
      ['variables', new VariablesValue([...compiler.declared.keys()], (name) => this.#variable(name))],
    ]);
  }

  /** The remaining cost budget. */
  get budget(): number {
    return this.#budget;
  }

  /**
   * Evaluates an expression.
   * @throws OutOfBudget if the expression and the variables that it evaluates exceed the remaining budget
   */
  evaluate(expression: AdmissionExpression): EvaluationResult {
    const { source, compiled, error } = expression;
    if (compiled === undefined) return { error: `compilation error: ${error?.detail ?? ''}` };
    const { value, cost, exceeded } = compiled.evaluate(this.#arguments(expression));
    const whole = cost + this.#variableCost;
    this.#variableCost = 0;
    if (whole > this.#budget) throw new OutOfBudget();
    this.#budget -= whole;
    if (value instanceof CelError) {
      const text = `expression '${source}' resulted in error: ${value.message}`;
      return { error: text, ...(exceeded && { exceeded }) };
    }
    return { value };
  }

  #arguments({ names }: AdmissionExpression): readonly CelValue[] {
    return names.map((name) => this.#values.get(name) ?? null);
  }

  #variable(name: string): CelValue {
    const quoted = JSON.stringify(name);
    const expression = this.#compiler.declared.get(name);
    if (expression?.compiled === undefined) {
      return new CelError(`composited variable ${quoted} fails to compile: ${expression?.error?.detail ?? ''}`);
    }
    // A variable that is declared twice can read itself.
    if (this.#running.has(name)) return new CelError(`composited variable ${quoted} fails to evaluate: reads itself`);
    this.#running.add(name);
    const { value, cost } = expression.compiled.evaluate(this.#arguments(expression));
    this.#running.delete(name);
    this.#variableCost += cost;
    if (!(value instanceof CelError)) return value;
    return new CelError(`composited variable ${quoted} fails to evaluate: ${value.message}`);
  }
}

function* valuesOf(bindings: AdmissionBindings): Iterable<readonly [string, CelValue]> {
  const { object, oldObject, request, namespaceObject, params, authorize, requestResource } = bindings;
  for (const [name, raw] of Object.entries({ object, oldObject, request, namespaceObject, params })) {
    yield [name, readJson(raw)];
  }
  if (authorize === undefined) {
    const names = ['authorizer', 'authorizer.requestResource'];
    for (const missing of names) yield [missing, new CelError(`no such attribute(s): ${missing}`)];
    return;
  }
  const authorizer = new AuthorizerValue(authorize);
  yield ['authorizer', authorizer];
  const { group = '', resource = '', subresource = '', namespace = '', name = '' } = requestResource ?? {};
  const checked = { group, resource, subresource, namespace, name, fieldSelector: '', labelSelector: '' };
  yield ['authorizer.requestResource', new ResourceCheckValue(authorizer, checked)];
}
