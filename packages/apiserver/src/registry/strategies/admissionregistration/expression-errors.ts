import { AdmissionCompiler, type AdmissionVariables, type ExpressionUse } from '@kubewright/api/cel';
import { append } from '@kubewright/api/json';
import { qualifiedNameErrors } from '@kubewright/api/names';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../objects/api-object.js';
import { objectsAt, stringAt } from '../../objects/json-object.js';
import { repeatedPositions } from '../rules/repeated-positions.js';

const mostConditions = 64;

/** A CEL expression in a field of an object. */
export interface CheckedExpression {
  /** The path of the field that contains the expression. */
  readonly path: string;
  readonly source: string;
  readonly use: ExpressionUse;
  /** The text that the error shows. @default `source` */
  readonly shown?: string;
}

/** Returns the compile error of an expression, in the wording of kube-apiserver. Returns no errors if the expression compiles. */
export function expressionErrors(
  compiler: AdmissionCompiler,
  { path, source, use, shown = source }: CheckedExpression,
  variables: AdmissionVariables,
): readonly FieldError[] {
  return compileErrors(compiler.compile(source, use, variables).error, path, shown);
}

/**
 * Returns the field error for a compile error, if any. `path` is the path of the field that contains the expression, and `shown` is the
 * text of the expression in the error.
 */
export function compileErrors(
  error: { readonly kind: 'invalid' | 'internal'; readonly detail: string } | undefined,
  path: string,
  shown: string,
): readonly FieldError[] {
  if (error === undefined) return [];
  const { kind, detail } = error;
  return [kind === 'internal' ? fieldErrors.internal(path, detail) : fieldErrors.invalid(path, shown, detail)];
}

/**
 * Returns the errors of the matchConditions of a webhook or a policy. Conditions cannot read the variables of a policy.
 * @param variables.params whether the conditions can read `params`
 */
export function matchConditionErrors(
  object: JsonDraft,
  path: string,
  variables: AdmissionVariables = {},
): readonly FieldError[] {
  const conditions = objectsAt(object, 'matchConditions');
  const at = `${path}.matchConditions`;
  const errors: FieldError[] = [];
  if (conditions.length > mostConditions) errors.push(fieldErrors.tooMany(at, conditions.length, mostConditions));
  if (conditions.length === 0) return errors;
  const compiler = new AdmissionCompiler();
  const repeated = repeatedPositions(conditions.map((condition) => stringAt(condition, 'name')));
  append(
    errors,
    errorsOfEach(conditions, (condition, index) => {
      const name = stringAt(condition, 'name');
      const own = conditionErrors(condition, `${at}[${index}]`, { compiler, variables });
      if (name === '' || !repeated.has(index)) return own;
      return [...own, fieldErrors.duplicate(`${at}[${index}].name`, name)];
    }),
  );
  return errors;
}

function conditionErrors(
  condition: JsonDraft,
  path: string,
  { compiler, variables }: { readonly compiler: AdmissionCompiler; readonly variables: AdmissionVariables },
): readonly FieldError[] {
  const name = stringAt(condition, 'name');
  const source = stringAt(condition, 'expression').trim();
  const at = `${path}.expression`;
  const errors: FieldError[] = [];
  if (source === '') errors.push(fieldErrors.required(at));
  else append(errors, expressionErrors(compiler, { path: at, source, use: 'condition' }, variables));
  if (name === '') return [...errors, fieldErrors.required(`${path}.name`)];
  const whys = qualifiedNameErrors(name);
  return [...errors, ...whys.map((why) => fieldErrors.invalid(`${path}.name`, name, why))];
}
