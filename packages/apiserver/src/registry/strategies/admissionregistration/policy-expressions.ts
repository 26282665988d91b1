import { AdmissionCompiler, type AdmissionVariables } from '@kubewright/api/cel';
import { append } from '@kubewright/api/json';
import { qualifiedNameErrors } from '@kubewright/api/names';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../objects/api-object.js';
import { isObject, objectsAt, stringAt } from '../../objects/json-object.js';
import { repeatedPositions } from '../rules/repeated-positions.js';
import { compileErrors, expressionErrors } from './expression-errors.js';

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const reserved =
  /^(true|false|null|in|as|break|const|continue|else|for|function|if|import|let|loop|package|namespace|return|var|void|while)$/;
const mostAnnotations = 20;
const longestValueExpression = 5 * 1024;

/**
 * Validates the variables of a policy and the expressions that can read the variables. Call `variableErrors` first, because this method
 * declares the variables.
 */
export class PolicyExpressions {
  readonly #spec: JsonDraft;
  readonly #compiler: AdmissionCompiler;
  readonly #variables: AdmissionVariables;

  /** @param composited whether the expressions can read `variables` */
  constructor(spec: JsonDraft, composited: boolean) {
    this.#spec = spec;
    this.#compiler = new AdmissionCompiler({ composited });
    this.#variables = { params: isObject(spec['paramKind']) };
  }

  /** Declares the variables of the policy in order, and returns the errors of these variables. */
  variableErrors(): readonly FieldError[] {
    return errorsOfEach(objectsAt(this.#spec, 'variables'), (variable, index) => {
      const path = `spec.variables[${index}]`;
      const name = stringAt(variable, 'name');
      const source = stringAt(variable, 'expression');
      const errors: FieldError[] = [];
      if (name.trim() === '') errors.push(fieldErrors.required(`${path}.name`, 'name is not specified'));
      else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || reserved.test(name)) {
        errors.push(fieldErrors.invalid(`${path}.name`, name, 'must be a valid CEL identifier'));
      }
      const at = `${path}.expression`;
      if (source.trim() === '') return [...errors, fieldErrors.required(at, 'expression is not specified')];
      const { error } = this.#compiler.declare(name, source, this.#variables);
      return [...errors, ...compileErrors(error, at, source)];
    });
  }

  /** Returns the errors of one validation in `spec.validations`. */
  validationErrors(validation: JsonDraft, path: string): readonly FieldError[] {
    const source = stringAt(validation, 'expression');
    const message = stringAt(validation, 'message');
    const reason = validation['reason'];
    const errors: FieldError[] = [];
    if (source.trim() === '') {
      errors.push(fieldErrors.required(`${path}.expression`, 'expression is not specified'));
    } else {
      const expression = { path: `${path}.expression`, source, use: 'condition' } as const;
      append(errors, expressionErrors(this.#compiler, expression, this.#variables));
    }
    append(
      errors,
      this.#messageExpressionErrors(stringAt(validation, 'messageExpression'), `${path}.messageExpression`),
    );
    if (message !== '' && message.trim() === '') {
      errors.push(fieldErrors.invalid(`${path}.message`, message, 'must be non-empty if specified'));
    } else if (/[\n\r]/.test(message.trim())) {
      errors.push(fieldErrors.invalid(`${path}.message`, message, 'must not contain line breaks'));
    }
    if (reason !== undefined && !reasons.includes(String(reason))) {
      errors.push(fieldErrors.notSupported(`${path}.reason`, reason, reasons));
    }
    return errors;
  }

  #messageExpressionErrors(source: string, path: string): readonly FieldError[] {
    if (source === '') return [];
    if (source.trim() === '') return [fieldErrors.invalid(path, source, 'must be non-empty if specified')];
    return expressionErrors(this.#compiler, { path, source, use: 'message' }, this.#variables);
  }

  /** Returns the errors of audit annotations. `name` is the name of the policy. */
  auditAnnotationErrors(annotations: readonly JsonDraft[], name: string): readonly FieldError[] {
    const repeated = repeatedPositions(annotations.map((annotation) => stringAt(annotation, 'key')));
    const path = 'spec.auditAnnotations';
    const errors: FieldError[] = [];
    if (annotations.length > mostAnnotations) {
      const why = `must not have more than ${mostAnnotations} auditAnnotations`;
      const shown = annotations.map((annotation) => ({
        Key: stringAt(annotation, 'key'),
        ValueExpression: stringAt(annotation, 'valueExpression'),
      }));
      errors.push(fieldErrors.invalid(path, shown, why));
    }
    const each = errorsOfEach(annotations, (annotation, index) => {
      const key = stringAt(annotation, 'key');
      const own = this.#annotationErrors(annotation, { path: `${path}[${index}]`, name });
      return repeated.has(index) ? [...own, fieldErrors.duplicate(`${path}[${index}].key`, key)] : own;
    });
    return [...errors, ...each];
  }

  #annotationErrors(
    annotation: JsonDraft,
    { path, name }: { readonly path: string; readonly name: string },
  ): readonly FieldError[] {
    const key = `${name}/${stringAt(annotation, 'key')}`;
    const errors: FieldError[] = qualifiedNameErrors(key).map((why) => fieldErrors.invalid(`${path}.key`, key, why));
    const shown = stringAt(annotation, 'valueExpression');
    const source = shown.trim();
    const at = `${path}.valueExpression`;
    if (source === '') return [...errors, fieldErrors.required(at, 'valueExpression is not specified')];
    if (Buffer.byteLength(source) > longestValueExpression) {
      return [...errors, fieldErrors.required(at, `must not exceed ${longestValueExpression} bytes in length`)];
    }
    const expression = { path: at, source, use: 'auditAnnotation', shown } as const;
    return [...errors, ...expressionErrors(this.#compiler, expression, this.#variables)];
  }

  /** Returns the errors of the expression of a mutation. */
  mutationErrors(patch: JsonDraft, path: string, use: 'applyConfiguration' | 'jsonPatch'): readonly FieldError[] {
    const source = stringAt(patch, 'expression').trim();
    const at = `${path}.expression`;
    if (source === '') return [fieldErrors.required(at)];
    return expressionErrors(this.#compiler, { path: at, source, use }, this.#variables);
  }
}
