import { append } from '@kubewright/api/json';
import { pathSegmentErrors } from '@kubewright/api/names';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../objects/api-object.js';
import { madeAt, objectsAt, stringAt, textsAt } from '../../objects/json-object.js';
import { fill, labelSelectorErrors } from '../rules/field-checks.js';
import { repeatedPositions } from '../rules/repeated-positions.js';

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const mutatingOperations = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
const scopes = ['*', 'Cluster', 'Namespaced'];
const matchPolicies = ['Equivalent', 'Exact'];

/** Sets the default scope `*` of resource rules. */
export function defaultRules(rules: readonly JsonDraft[]): void {
  for (const rule of rules) fill(rule, { scope: '*' });
}

/** Sets the defaults of the matchResources of a policy. */
export function defaultMatchResources(resources: JsonDraft): void {
  fill(resources, { matchPolicy: 'Equivalent' });
  madeAt(resources, 'namespaceSelector');
  madeAt(resources, 'objectSelector');
  defaultRules(objectsAt(resources, 'resourceRules'));
  defaultRules(objectsAt(resources, 'excludeResourceRules'));
}

/** Returns the errors of the matchResources of a policy. */
export function matchResourcesErrors(resources: JsonDraft, path: string): readonly FieldError[] {
  const policy = stringAt(resources, 'matchPolicy');
  const errors: FieldError[] = [];
  if (!matchPolicies.includes(policy)) {
    errors.push(fieldErrors.notSupported(`${path}.matchPolicy`, policy, matchPolicies));
  }
  for (const field of ['namespaceSelector', 'objectSelector']) {
    append(errors, labelSelectorErrors(resources[field], `${path}.${field}`));
  }
  for (const field of ['resourceRules', 'excludeResourceRules']) {
    for (const [index, rule] of objectsAt(resources, field).entries()) {
      const at = `${path}.${field}[${index}]`;
      append(errors, resourceNameErrors(textsAt(rule, 'resourceNames'), `${at}.resourceNames`));
      append(errors, ruleErrors(rule, at));
    }
  }
  return errors;
}

function resourceNameErrors(names: readonly string[], path: string): readonly FieldError[] {
  const repeated = repeatedPositions(names);
  return errorsOfEach(names, (name, index) => [
    ...pathSegmentErrors(name).map((why) => fieldErrors.invalid(`${path}[${index}]`, name, why)),
    ...(repeated.has(index) ? [fieldErrors.duplicate(`${path}[${index}]`, name)] : []),
  ]);
}

/** Returns the errors of a rule with operations and resources. */
export function ruleErrors(rule: JsonDraft, path: string): readonly FieldError[] {
  const errors = [...wildcardErrors(rule, 'operations', { path, of: 'operations' })];
  for (const [index, operation] of textsAt(rule, 'operations').entries()) {
    if (operations.includes(operation)) continue;
    errors.push(fieldErrors.notSupported(`${path}.operations[${index}]`, operation, operations));
  }
  append(errors, wildcardErrors(rule, 'apiGroups', { path, of: 'API groups' }));
  append(errors, wildcardErrors(rule, 'apiVersions', { path, of: 'API versions' }));
  for (const [index, version] of textsAt(rule, 'apiVersions').entries()) {
    if (version === '') errors.push(fieldErrors.required(`${path}.apiVersions[${index}]`));
  }
  append(errors, resourcesErrors(textsAt(rule, 'resources'), `${path}.resources`));
  const scope = stringAt(rule, 'scope');
  if (!scopes.includes(scope)) errors.push(fieldErrors.notSupported(`${path}.scope`, scope, scopes));
  return errors;
}

function wildcardErrors(
  rule: JsonDraft,
  field: string,
  { path, of }: { readonly path: string; readonly of: string },
): readonly FieldError[] {
  const values = textsAt(rule, field);
  if (values.length === 0) return [fieldErrors.required(`${path}.${field}`)];
  if (values.length === 1 || !values.includes('*')) return [];
  return [fieldErrors.invalid(`${path}.${field}`, values, `if '*' is present, must not specify other ${of}`)];
}

function resourcesErrors(resources: readonly string[], path: string): readonly FieldError[] {
  const errors: FieldError[] = resources.length === 0 ? [fieldErrors.required(path)] : [];
  const [whole, parts] = [new Set<string>(), new Set<string>()];
  let plain = false;
  for (const [index, resource] of resources.entries()) {
    const at = `${path}[${index}]`;
    const bad = (of: string): FieldError =>
      fieldErrors.invalid(at, resource, `if '${of}' is present, must not specify ${resource}`);
    if (resource === '') errors.push(fieldErrors.required(at));
    const slash = resource.indexOf('/');
    if (slash < 0) {
      plain = resource === '' ? plain : resource !== '*';
      continue;
    }
    const [name, part] = [resource.slice(0, slash), resource.slice(slash + 1)];
    if (whole.has(name)) errors.push(bad(`${name}/*`));
    if (parts.has(part)) errors.push(bad(`*/${part}`));
    if (part === '*') whole.add(name);
    if (name === '*') parts.add(part);
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    errors.push(fieldErrors.invalid(path, resources, "if '*/*' is present, must not specify other resources"));
  }
  if (resources.includes('*') && plain) {
    const why = "if '*' is present, must not specify other resources without subresources";
    errors.push(fieldErrors.invalid(path, resources, why));
  }
  return errors;
}

/**
 * Returns an error for each operation that mutating policies do not support. `resources` contains the resource rules of a mutating policy
 * or of its binding.
 */
export function mutatingOperationErrors(resources: JsonDraft, path: string): readonly FieldError[] {
  const given = objectsAt(resources, 'resourceRules').flatMap((rule) => textsAt(rule, 'operations'));
  const wrong = given.filter((operation) => !mutatingOperations.includes(operation));
  return wrong.map((operation) => fieldErrors.notSupported(path, operation, mutatingOperations));
}
