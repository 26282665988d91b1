import { append } from '@kubewright/api/json';
import { dns1123LabelErrors, dns1123SubdomainErrors } from '@kubewright/api/names';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { isObject, madeAt, numberAt, objectAt, objectsAt, stringAt, textsAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { fill } from '../rules/field-checks.js';
import { repeatedPositions } from '../rules/repeated-positions.js';

const methods = ['ByNamespace', 'ByUser'];
const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];
const kinds = ['Group', 'ServiceAccount', 'User'];
const lastPrecedence = 10_000;

/** The strategy for FlowSchemas, which assign requests to priority levels. */
export const flowSchemaStrategy: Partial<Strategy> = {
  ownRules: true,
  metadataRules: { preservedByStatus: 'all' },
  tracksGeneration: true,
  defaults: (draft) => {
    const spec = madeAt(draft, 'spec');
    if (!spec['matchingPrecedence']) spec['matchingPrecedence'] = 1000;
    fill(madeAt(spec, 'priorityLevelConfiguration'), { name: '' });
  },
  initialStatus: (schema, now) => {
    const level = stringAt(schema, 'spec', 'priorityLevelConfiguration', 'name');
    const message = `This FlowSchema references the PriorityLevelConfiguration object named "${level}" and it exists`;
    return { conditions: [{ lastTransitionTime: now, message, reason: 'Found', status: 'False', type: 'Dangling' }] };
  },
  prepareForCreate: (draft) => {
    draft['status'] = {};
  },
  validate: schemaErrors,
  validateUpdate: schemaErrors,
  validateStatusUpdate: conditionErrors,
  cells: (schema, now) => [
    schema.metadata.name,
    stringAt(schema, 'spec', 'priorityLevelConfiguration', 'name'),
    numberAt(schema, 'spec', 'matchingPrecedence') ?? 0,
    stringAt(schema, 'spec', 'distinguisherMethod', 'type') || '<none>',
    age(schema.metadata.creationTimestamp, now),
    stringAt(
      objectsAt(schema, 'status', 'conditions').find(({ type }) => type === 'Dangling'),
      'status',
    ) || '?',
  ],
};

/** Returns the errors of the conditions of a FlowSchema or PriorityLevelConfiguration. */
export function conditionErrors(object: ApiObject): readonly FieldError[] {
  const types = objectsAt(object, 'status', 'conditions').map((condition) => stringAt(condition, 'type'));
  const repeated = repeatedPositions(types);
  return errorsOfEach(types, (type, index) => {
    const path = `status.conditions[${index}].type`;
    const errors = repeated.has(index) ? [fieldErrors.duplicate(path, type)] : [];
    return type === '' ? [...errors, fieldErrors.required(path)] : errors;
  });
}

function schemaErrors(schema: ApiObject): readonly FieldError[] {
  const spec = objectAt(schema, 'spec');
  const precedence = numberAt(spec, 'matchingPrecedence') ?? 0;
  const bad = (why: string): FieldError => fieldErrors.invalid('spec.matchingPrecedence', precedence, why);
  const errors: FieldError[] = [];
  if (precedence <= 0) errors.push(bad('must be a positive value'));
  if (precedence > lastPrecedence) errors.push(bad(`must not be greater than ${lastPrecedence}`));
  if (precedence === 1 && schema.metadata.name !== 'exempt') {
    errors.push(bad("only the schema named 'exempt' may have matchingPrecedence 1"));
  }
  const level = stringAt(spec, 'priorityLevelConfiguration', 'name');
  const path = 'spec.priorityLevelConfiguration.name';
  if (isObject(spec['distinguisherMethod']) && !methods.includes(stringAt(spec, 'distinguisherMethod', 'type'))) {
    const { type } = spec['distinguisherMethod'];
    const message = `Unsupported value: {"Type":${JSON.stringify(type ?? '')}}: supported values: "ByNamespace", "ByUser"`;
    errors.push({ reason: 'FieldValueNotSupported', field: 'spec.distinguisherMethod.type', message });
  }
  if (level === '') errors.push(fieldErrors.required(path, 'must reference a priority level'));
  else
    append(
      errors,
      dns1123SubdomainErrors(level).map((why) => fieldErrors.invalid(path, level, why)),
    );
  const rules = errorsOfEach(objectsAt(spec, 'rules'), (rule, index) => ruleErrors(rule, `spec.rules[${index}]`));
  return [...errors, ...rules, ...conditionErrors(schema)];
}

function ruleErrors(rule: JsonDraft, path: string): readonly FieldError[] {
  const subjects = objectsAt(rule, 'subjects');
  const [resourceRules, otherRules] = [objectsAt(rule, 'resourceRules'), objectsAt(rule, 'nonResourceRules')];
  const errors: FieldError[] = [];
  if (subjects.length === 0) {
    errors.push(fieldErrors.required(`${path}.subjects`, 'subjects must contain at least one value'));
  }
  append(
    errors,
    errorsOfEach(subjects, (subject, index) => subjectErrors(subject, `${path}.subjects[${index}]`)),
  );
  if (resourceRules.length + otherRules.length === 0) {
    const why = 'at least one of resourceRules and nonResourceRules has to be non-empty';
    errors.push(fieldErrors.required(path, why));
  }
  return [
    ...errors,
    ...errorsOfEach(resourceRules, (own, index) => resourceRuleErrors(own, `${path}.resourceRules[${index}]`)),
    ...errorsOfEach(otherRules, (own, index) => otherRuleErrors(own, `${path}.nonResourceRules[${index}]`)),
  ];
}

function subjectErrors(subject: JsonDraft, path: string): readonly FieldError[] {
  const kind = stringAt(subject, 'kind');
  if (!kinds.includes(kind)) return [fieldErrors.notSupported(`${path}.kind`, kind, kinds)];
  const own = kind.slice(0, 1).toLowerCase() + kind.slice(1);
  const errors: FieldError[] = [];
  if (!isObject(subject[own]))
    errors.push(fieldErrors.required(`${path}.${own}`, `${own} is required when subject kind is '${kind}'`));
  else append(errors, namedErrors(subject[own], `${path}.${own}`, kind));
  for (const other of ['ServiceAccount', 'User', 'Group']) {
    const field = other.slice(0, 1).toLowerCase() + other.slice(1);
    if (other === kind || subject[field] === undefined) continue;
    errors.push(fieldErrors.forbidden(`${path}.${field}`, `${field} is forbidden when subject kind is not '${other}'`));
  }
  return errors;
}

function namedErrors(subject: JsonDraft, path: string, kind: string): readonly FieldError[] {
  const name = stringAt(subject, 'name');
  const errors: FieldError[] = name === '' ? [fieldErrors.required(`${path}.name`)] : [];
  if (kind !== 'ServiceAccount') return errors;
  if (name !== '' && name !== '*') {
    append(
      errors,
      dns1123SubdomainErrors(name).map((why) => fieldErrors.invalid(`${path}.name`, name, why)),
    );
  }
  const namespace = stringAt(subject, 'namespace');
  if (namespace === '') {
    return [...errors, fieldErrors.required(`${path}.namespace`, 'must specify namespace for service account')];
  }
  return [
    ...errors,
    ...dns1123LabelErrors(namespace).map((why) => fieldErrors.invalid(`${path}.namespace`, namespace, why)),
  ];
}

function listErrors(
  rule: JsonDraft,
  field: string,
  { path, none, of }: { readonly path: string; readonly none: string; readonly of: string },
): readonly FieldError[] {
  const values = textsAt(rule, field);
  if (values.length === 0) return [fieldErrors.required(`${path}.${field}`, none)];
  if (values.length === 1 || !values.includes('*')) return [];
  return [fieldErrors.invalid(`${path}.${field}`, values, `if '*' is present, must not specify other ${of}`)];
}

function verbErrors(rule: JsonDraft, path: string): readonly FieldError[] {
  const given = textsAt(rule, 'verbs');
  const none = 'verbs must contain at least one value';
  if (given.length === 0 || given.includes('*')) return listErrors(rule, 'verbs', { path, none, of: 'verbs' });
  if (given.every((verb) => verbs.includes(verb))) return [];
  return [fieldErrors.notSupported(`${path}.verbs`, given, verbs)];
}

function resourceRuleErrors(rule: JsonDraft, path: string): readonly FieldError[] {
  const group = 'resource rules must supply at least one api group';
  const resource = 'resource rules must supply at least one resource';
  const errors = [
    ...verbErrors(rule, path),
    ...listErrors(rule, 'apiGroups', { path, none: group, of: 'api groups' }),
    ...listErrors(rule, 'resources', { path, none: resource, of: 'resources' }),
  ];
  const namespaces = textsAt(rule, 'namespaces');
  if (namespaces.length === 0 && rule['clusterScope'] === true) return errors;
  const none = 'resource rules that are not cluster scoped must supply at least one namespace';
  if (namespaces.length === 0 || namespaces.includes('*')) {
    return [...errors, ...listErrors(rule, 'namespaces', { path, none, of: 'namespaces' })];
  }
  const rest = errorsOfEach(namespaces, (namespace, index) =>
    dns1123LabelErrors(namespace).map((why) => {
      const at = `${path}.namespaces[${index}]`;
      return fieldErrors.invalid(at, namespace, `each member of this list must be '*' or a DNS-1123 label; ${why}`);
    }),
  );
  return [...errors, ...rest];
}

function otherRuleErrors(rule: JsonDraft, path: string): readonly FieldError[] {
  const none = 'nonResourceURLs must contain at least one value';
  return [...verbErrors(rule, path), ...listErrors(rule, 'nonResourceURLs', { path, none, of: 'non-resource URLs' })];
}
