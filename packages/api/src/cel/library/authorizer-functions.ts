import { NO_OVERLOAD } from '../values/cel-error.js';
import { type CelType, celTypes, structType } from '../values/cel-type.js';
import { method, type Overload, takes } from '../check/overload.js';

const { string, bool } = celTypes;

/**
 * Returns the functions of the authorizer. CEL rules of custom resources cannot use an authorizer. The functions are declared so that the
 * error for a rule that calls one of them is precise.
 */
export function authorizerOverloads(): readonly Overload[] {
  const authorizer = structType('kubernetes.authorization.Authorizer');
  const path = structType('kubernetes.authorization.PathCheck');
  const group = structType('kubernetes.authorization.GroupCheck');
  const resource = structType('kubernetes.authorization.ResourceCheck');
  const decision = structType('kubernetes.authorization.Decision');
  const declare = (id: string, name: string, ...types: readonly CelType[]): Overload =>
    method([id, name], takes(...types), () => NO_OVERLOAD);
  return [
    declare('authorizer_path', 'path', authorizer, string, path),
    declare('authorizer_group', 'group', authorizer, string, group),
    declare('authorizer_serviceaccount', 'serviceAccount', authorizer, string, string, authorizer),
    declare('groupcheck_resource', 'resource', group, string, resource),
    declare('resourcecheck_subresource', 'subresource', resource, string, resource),
    declare('resourcecheck_namespace', 'namespace', resource, string, resource),
    declare('resourcecheck_name', 'name', resource, string, resource),
    declare('pathcheck_check', 'check', path, string, decision),
    declare('resourcecheck_check', 'check', resource, string, decision),
    declare('decision_errored', 'errored', decision, bool),
    declare('decision_error', 'error', decision, string),
    declare('decision_allowed', 'allowed', decision, bool),
    declare('decision_reason', 'reason', decision, string),
    declare('authorizer_fieldselector', 'fieldSelector', resource, string, resource),
    declare('authorizer_labelselector', 'labelSelector', resource, string, resource),
  ];
}
