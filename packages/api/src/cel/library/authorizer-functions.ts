import { method, type Overload, takes } from '../check/overload.js';
import { celTypes } from '../values/cel-type.js';
import {
  authorizerTypes,
  type AuthorizerValue,
  type DecisionValue,
  GroupCheckValue,
  type PathCheckValue,
  type ResourceCheckValue,
} from './authorizer-values.js';

const { string, bool } = celTypes;
const { authorizer, path, group, resource, decision } = authorizerTypes;

/**
 * Returns the functions of the authorizer. Only expressions of admission have the variable `authorizer`. CEL rules of custom resources
 * declare the functions, so that the error for a rule that calls one of them is precise.
 */
export function authorizerOverloads(): readonly Overload[] {
  return [
    method(['authorizer_path', 'path'], takes(authorizer, string, path), (self: AuthorizerValue, name: string) =>
      self.path(name),
    ),
    method(
      ['authorizer_group', 'group'],
      takes(authorizer, string, group),
      (self: AuthorizerValue, name: string) => new GroupCheckValue(self, name),
    ),
    method(
      ['authorizer_serviceaccount', 'serviceAccount'],
      takes(authorizer, string, string, authorizer),
      (self: AuthorizerValue, namespace: string, name: string) => self.forServiceAccount(namespace, name),
    ),
    method(['groupcheck_resource', 'resource'], takes(group, string, resource), (self: GroupCheckValue, name: string) =>
      self.resource(name),
    ),
    ...refinements(),
    method(['pathcheck_check', 'check'], takes(path, string, decision), (self: PathCheckValue, verb: string) =>
      self.check(verb),
    ),
    method(
      ['resourcecheck_check', 'check'],
      takes(resource, string, decision),
      (self: ResourceCheckValue, verb: string) => self.check(verb),
    ),
    ...results(),
  ];
}

function refinements(): readonly Overload[] {
  const refinement = (id: string, name: 'subresource' | 'namespace' | 'name' | 'fieldSelector' | 'labelSelector') =>
    method([id, name], takes(resource, string, resource), (self: ResourceCheckValue, value: string) =>
      self.with({ [name]: value }),
    );
  return [
    refinement('resourcecheck_subresource', 'subresource'),
    refinement('resourcecheck_namespace', 'namespace'),
    refinement('resourcecheck_name', 'name'),
    refinement('authorizer_fieldselector', 'fieldSelector'),
    refinement('authorizer_labelselector', 'labelSelector'),
  ];
}

function results(): readonly Overload[] {
  type Self = DecisionValue;
  return [
    method(['decision_errored', 'errored'], takes(decision, bool), (self: Self) => self.decision.error !== undefined),
    method(['decision_error', 'error'], takes(decision, string), (self: Self) => self.decision.error ?? ''),
    method(['decision_allowed', 'allowed'], takes(decision, bool), (self: Self) => self.decision.allowed),
    method(['decision_reason', 'reason'], takes(decision, string), (self: Self) => self.decision.reason),
  ];
}
