import {
  type AdmissionBindings,
  AdmissionEvaluation,
  type AdmissionExpression,
  type EvaluationResult,
  OutOfBudget,
  POLICY_BUDGET,
} from '@kubewright/api/cel';
import type { ApiObject, JsonObject } from '../../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../../registry/objects/json-object.js';
import { compilePolicy, type CompiledPolicy } from './compile-policy.js';

const longestMessage = 5 * 1024;

/** A reason to refuse a request. */
export interface Denial {
  readonly message: string;
  /** The reason of the Status. */
  readonly reason: string;
}

/** The result of a policy for one request, one binding and one parameter object. */
export interface PolicyVerdict {
  /** The failed validations. The `validationActions` of the binding determine how the server reacts. */
  readonly violations: readonly Denial[];
  /** The errors of audit annotations. The server denies a request with such an error regardless of the `validationActions`. */
  readonly refusals: readonly Denial[];
}

interface Validation {
  readonly expression: AdmissionExpression;
  readonly message: AdmissionExpression | undefined;
  readonly text: string;
  readonly reason: string;
}

const nothing: PolicyVerdict = { violations: [], refusals: [] };
const defaultReason = 'Invalid';

/** A compiled ValidatingAdmissionPolicy. */
export class PolicyValidator {
  readonly #policy: CompiledPolicy;
  readonly #validations: readonly Validation[];
  readonly #annotations: readonly AdmissionExpression[];

  constructor(policy: ApiObject) {
    this.#policy = compilePolicy(policy);
    const spec = objectAt(policy, 'spec');
    this.#validations = objectsAt(spec, 'validations').map((validation) => this.#validation(validation));
    this.#annotations = objectsAt(spec, 'auditAnnotations').map((annotation) => {
      const { compiler, variables } = this.#policy;
      return compiler.compile(stringAt(annotation, 'valueExpression'), 'auditAnnotation', variables);
    });
  }

  /** The reaction to errors of the policy. */
  get failurePolicy(): 'Fail' | 'Ignore' {
    return this.#policy.failurePolicy;
  }

  /**
   * Evaluates the policy. Like kube-apiserver, evaluates all message expressions, because their cost counts toward the budget. Audit
   * annotations are evaluated and discarded, because the server writes no audit log.
   * @param namespaceObject the namespace of the request. Match conditions cannot read this namespace
   */
  evaluate(bindings: AdmissionBindings, namespaceObject: unknown): PolicyVerdict {
    const { compiler, conditions, failurePolicy } = this.#policy;
    const verdict = conditions.match(bindings, failurePolicy);
    if ('error' in verdict) return { violations: this.#failed(verdict.error), refusals: [] };
    if (!verdict.matches) return nothing;
    const whole = { ...bindings, namespaceObject };
    const { authorize: _, ...unauthorized } = whole;
    try {
      const evaluation = new AdmissionEvaluation(compiler, whole, POLICY_BUDGET);
      const results = this.#validations.map(({ expression }) => evaluation.evaluate(expression));
      const messages = this.#messages(unauthorized, evaluation.budget);
      const violations = results.flatMap((result, at) => this.#violations(result, at, messages));
      return { violations, refusals: this.#annotationErrors(unauthorized) };
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error;
      return { violations: this.#failed(error.message), refusals: [] };
    }
  }

  #validation(validation: JsonObject): Validation {
    const { compiler, variables } = this.#policy;
    const source = stringAt(validation, 'expression');
    const message = stringAt(validation, 'messageExpression');
    const text = stringAt(validation, 'message').trim();
    return {
      expression: compiler.compile(source, 'condition', variables),
      message: message === '' ? undefined : compiler.compile(message, 'message', variables),
      text: text === '' ? `failed expression: ${source.trim()}` : text,
      reason: stringAt(validation, 'reason') || defaultReason,
    };
  }

  /** Returns the denial for an error. Returns no denial if the failurePolicy is `Ignore`. */
  #failed(message: string): readonly Denial[] {
    return this.failurePolicy === 'Ignore' ? [] : [{ message, reason: defaultReason }];
  }

  /**
   * Returns the messages of the validations. If evaluating the messages exceeds the cost budget that remains after the validations, returns
   * the OutOfBudget error.
   */
  #messages(bindings: AdmissionBindings, budget: number): readonly string[] | OutOfBudget {
    const evaluation = new AdmissionEvaluation(this.#policy.compiler, bindings, budget);
    try {
      return this.#validations.map(({ message }) =>
        message === undefined ? '' : textOf(evaluation.evaluate(message)),
      );
    } catch (error) {
      if (error instanceof OutOfBudget) return error;
      throw error;
    }
  }

  #violations(result: EvaluationResult, at: number, messages: readonly string[] | OutOfBudget): readonly Denial[] {
    if ('error' in result) return this.#failed(result.error);
    if (messages instanceof OutOfBudget) return this.#failed(`failed messageExpression: ${messages.message}`);
    if (result.value === true) return [];
    const { text = '', reason = defaultReason } = this.#validations[at] ?? {};
    return [{ message: messages[at] || text, reason }];
  }

  #annotationErrors(bindings: AdmissionBindings): readonly Denial[] {
    const evaluation = new AdmissionEvaluation(this.#policy.compiler, bindings, POLICY_BUDGET);
    return this.#annotations.flatMap((annotation) => {
      const result = evaluation.evaluate(annotation);
      return 'error' in result ? this.#failed(result.error) : [];
    });
  }
}

/** Returns a message, or '' if the result is not a valid message. */
function textOf(result: EvaluationResult): string {
  if ('error' in result || typeof result.value !== 'string') return '';
  const text = result.value.trim();
  return text.includes('\n') || Buffer.byteLength(text) > longestMessage ? '' : text;
}
