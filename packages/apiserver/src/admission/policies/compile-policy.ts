import { AdmissionCompiler, type AdmissionVariables, MatchConditions } from '@kubewright/api/cel';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { isObject, objectAt, objectsAt, stringAt } from '../../registry/objects/json-object.js';

/** The parts of a compiled policy that both kinds of policies have. */
export interface CompiledPolicy {
  readonly compiler: AdmissionCompiler;
  readonly conditions: MatchConditions;
  /** The variables that all expressions except messages can read. */
  readonly variables: AdmissionVariables;
  readonly failurePolicy: 'Fail' | 'Ignore';
}

/** Compiles the variables and the match conditions of a policy. Errors in expressions are reported when the expressions are evaluated. */
export function compilePolicy(policy: ApiObject): CompiledPolicy {
  const spec = objectAt(policy, 'spec');
  const variables = { params: isObject(spec['paramKind']) };
  const compiler = new AdmissionCompiler({ composited: true });
  for (const variable of objectsAt(spec, 'variables')) {
    compiler.declare(stringAt(variable, 'name'), stringAt(variable, 'expression'), variables);
  }
  const conditions = objectsAt(spec, 'matchConditions').map((condition) => ({
    name: stringAt(condition, 'name'),
    expression: stringAt(condition, 'expression'),
  }));
  return {
    compiler,
    conditions: new MatchConditions(conditions, { compiler, variables }),
    variables,
    failurePolicy: stringAt(spec, 'failurePolicy') === 'Ignore' ? 'Ignore' : 'Fail',
  };
}
