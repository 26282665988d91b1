import { append } from '@kubewright/api/json';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { isObject, madeAt, numberAt, objectAt, objectsAt, stringAt, textsAt } from '../../objects/json-object.js';
import { formatSelector } from '../../objects/format-selector.js';
import type { Strategy } from '../../definitions/strategy.js';
import { isRange, isStrictlyWithin, looseRangeErrors } from '../rules/addresses.js';
import { fill, labelSelectorErrors } from '../rules/field-checks.js';
import { portErrors } from '../core/pod-spec/pod-spec-validation.js';
import { portNameErrors } from '../core/pod-spec/value-rules.js';

const directions = ['Ingress', 'Egress'];
const rulesOf = [
  { field: 'ingress', peers: 'from' },
  { field: 'egress', peers: 'to' },
] as const;

/** The strategy for NetworkPolicies. The default policyTypes are Ingress, and also Egress if the policy has egress rules. */
export const networkPolicyStrategy: Partial<Strategy> = {
  ownRules: true,
  tracksGeneration: true,
  defaults: (draft) => {
    const spec = madeAt(draft, 'spec');
    madeAt(spec, 'podSelector');
    for (const { field } of rulesOf) {
      for (const rule of objectsAt(spec, field)) {
        for (const port of objectsAt(rule, 'ports')) fill(port, { protocol: 'TCP' });
      }
    }
    if (textsAt(spec, 'policyTypes').length > 0) return;
    spec['policyTypes'] = objectsAt(spec, 'egress').length > 0 ? [...directions] : ['Ingress'];
  },
  validate: policyErrors,
  validateUpdate: policyErrors,
  cells: (policy, now) => [
    policy.metadata.name,
    formatSelector(objectAt(policy, 'spec', 'podSelector')) || '<none>',
    age(policy.metadata.creationTimestamp, now),
  ],
};

function policyErrors(policy: ApiObject): readonly FieldError[] {
  const spec = objectAt(policy, 'spec');
  const errors = [...labelSelectorErrors(spec['podSelector'], 'spec.podSelector')];
  for (const { field, peers } of rulesOf) {
    for (const [index, rule] of objectsAt(spec, field).entries()) {
      const path = `spec.${field}[${index}]`;
      append(
        errors,
        errorsOfEach(objectsAt(rule, 'ports'), (port, at) => rulePortErrors(port, `${path}.ports[${at}]`)),
      );
      append(
        errors,
        errorsOfEach(objectsAt(rule, peers), (peer, at) => peerErrors(peer, `${path}.${peers}[${at}]`)),
      );
    }
  }
  const types = textsAt(spec, 'policyTypes');
  if (types.length > directions.length) {
    const why = 'may not specify more than two policyTypes';
    return [...errors, fieldErrors.invalid('spec.policyTypes', types, why)];
  }
  for (const [index, type] of types.entries()) {
    if (directions.includes(type)) continue;
    errors.push(fieldErrors.notSupported(`spec.policyTypes[${index}]`, type, directions));
  }
  return errors;
}

function rulePortErrors(entry: JsonDraft, path: string): readonly FieldError[] {
  const { port, protocol } = entry;
  const end = numberAt(entry, 'endPort');
  const protocols = ['TCP', 'UDP', 'SCTP'];
  const errors: FieldError[] = [];
  if (!protocols.includes(String(protocol))) {
    errors.push(fieldErrors.notSupported(`${path}.protocol`, protocol, protocols));
  }
  const badEnd = (value: unknown, why: string): FieldError => fieldErrors.invalid(`${path}.endPort`, value, why);
  if (typeof port === 'number') {
    append(errors, portErrors(port, `${path}.port`));
    if (end !== undefined && end < port) errors.push(badEnd(port, 'must be greater than or equal to `port`'));
    if (end !== undefined) append(errors, portErrors(end, `${path}.endPort`));
  } else if (typeof port === 'string') {
    if (end !== undefined) errors.push(badEnd(end, 'may not be specified when `port` is non-numeric'));
    append(
      errors,
      portNameErrors(port).map((why) => fieldErrors.invalid(`${path}.port`, port, why)),
    );
  } else if (end !== undefined) {
    errors.push(badEnd(end, 'may not be specified when `port` is not specified'));
  }
  return errors;
}

function peerErrors(peer: JsonDraft, path: string): readonly FieldError[] {
  const given = ['podSelector', 'namespaceSelector', 'ipBlock'].filter((field) => isObject(peer[field]));
  const errors = [
    ...labelSelectorErrors(peer['podSelector'], `${path}.podSelector`),
    ...labelSelectorErrors(peer['namespaceSelector'], `${path}.namespaceSelector`),
  ];
  if (isObject(peer['ipBlock'])) append(errors, blockErrors(peer['ipBlock'], `${path}.ipBlock`));
  if (given.length === 0) errors.push(fieldErrors.required(path, 'must specify a peer'));
  if (given.length > 1 && given.includes('ipBlock')) {
    errors.push(fieldErrors.forbidden(path, 'may not specify both ipBlock and another peer'));
  }
  return errors;
}

function blockErrors(block: JsonDraft, path: string): readonly FieldError[] {
  const cidr = stringAt(block, 'cidr');
  if (cidr === '') return [fieldErrors.required(`${path}.cidr`)];
  const errors = [...looseRangeErrors(cidr, `${path}.cidr`)];
  if (!isRange(cidr)) return errors;
  for (const [index, except] of textsAt(block, 'except').entries()) {
    const at = `${path}.except[${index}]`;
    append(errors, looseRangeErrors(except, at));
    if (isRange(except) && !isStrictlyWithin(except, cidr)) {
      errors.push(fieldErrors.invalid(at, except, 'must be a strict subset of `cidr`'));
    }
  }
  return errors;
}
