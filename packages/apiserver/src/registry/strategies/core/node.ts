import { append } from '@kubewright/api/json';
import { labelValueErrors } from '@kubewright/api/names';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject } from '../../objects/api-object.js';
import { isObject, madeAt, objectAt, objectsAt, stringAt, textsAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { dropEmpty } from '../rules/field-checks.js';
import { goStruct } from '../rules/go-text.js';
import { amountErrors } from './pod-spec/resource-rules.js';
import { taintEffects } from './pod-spec/toleration-rules.js';
import { qualifiedErrors, supportedErrors } from './pod-spec/value-rules.js';

const rolePrefix = 'node-role.kubernetes.io/';

/** The strategy for Nodes. A create request can set the status, which most kinds do not allow. */
export const nodeStrategy: Partial<Strategy> = {
  ownRules: true,
  storageFolder: 'minions',
  resetsStatus: false,
  selectableFields: ['spec.unschedulable'],
  selectableField: (node) => String(objectAt(node, 'spec')['unschedulable'] === true),
  defaults: (draft) => {
    const status = madeAt(draft, 'status');
    if (status['allocatable'] === undefined && status['capacity'] !== undefined) {
      status['allocatable'] = structuredClone(status['capacity']);
    }
    const spec = madeAt(draft, 'spec');
    const [first] = textsAt(spec, 'podCIDRs');
    if (first === undefined && stringAt(spec, 'podCIDR') !== '') spec['podCIDRs'] = [spec['podCIDR']];
    else if (first !== undefined) spec['podCIDR'] = first;
    dropEmpty(spec, 'unschedulable');
  },
  prepareForUpdate: (draft, old) => {
    draft['status'] = structuredClone(old['status']);
  },
  validate: nodeErrors,
  // As in kube-apiserver, an update reports the errors of the node twice.
  validateUpdate: (next, old) => [...nodeErrors(next), ...nodeUpdateErrors(next, old)],
  validateStatusUpdate: nodeUpdateErrors,
  cells: (node, now) => [
    node.metadata.name,
    shownStatus(node),
    roles(node) || '<none>',
    age(node.metadata.creationTimestamp, now),
    stringAt(node, 'status', 'nodeInfo', 'kubeletVersion'),
    address(node, 'InternalIP'),
    address(node, 'ExternalIP'),
    stringAt(node, 'status', 'nodeInfo', 'osImage') || '<unknown>',
    kernel(node),
    stringAt(node, 'status', 'nodeInfo', 'containerRuntimeVersion') || '<unknown>',
  ],
};

function nodeErrors(node: ApiObject): readonly FieldError[] {
  return [...taintErrors(node), ...resourceErrors(node)];
}

function nodeUpdateErrors(node: ApiObject, old: ApiObject): readonly FieldError[] {
  const errors = [...resourceErrors(node)];
  const before = textsAt(old, 'spec', 'podCIDRs');
  const after = textsAt(node, 'spec', 'podCIDRs');
  if (before.length > 0 && before.join() !== after.join()) {
    const why = 'node updates may not change podCIDR except from "" to valid';
    errors.push(fieldErrors.forbidden('spec.podCIDRs', why));
  }
  const provider = stringAt(old, 'spec', 'providerID');
  if (provider !== '' && provider !== stringAt(node, 'spec', 'providerID')) {
    const why = 'node updates may not change providerID except from "" to valid';
    errors.push(fieldErrors.forbidden('spec.providerID', why));
  }
  append(errors, taintErrors(node));
  if (stringAt(node, 'spec', 'externalID') !== stringAt(old, 'spec', 'externalID')) {
    errors.push(fieldErrors.forbidden('spec.externalID', 'may not be updated'));
  }
  return errors;
}

function resourceErrors(node: ApiObject): readonly FieldError[] {
  return ['capacity', 'allocatable'].flatMap((field) =>
    errorsOfEach(Object.entries(objectAt(node, 'status', field)), ([name, amount]) =>
      amountErrors(name, String(amount), `status.${field}.${name}`),
    ),
  );
}

function taintErrors(node: ApiObject): readonly FieldError[] {
  const seen = new Set<string>();
  return errorsOfEach(objectsAt(node, 'spec', 'taints'), (taint, index) => {
    const at = `metadata.taints[${index}]`;
    const value = stringAt(taint, 'value');
    const effect = stringAt(taint, 'effect');
    const errors = [...qualifiedErrors(stringAt(taint, 'key'), `${at}.key`)];
    const reasons = labelValueErrors(value);
    if (reasons.length > 0) errors.push(fieldErrors.invalid(`${at}.value`, value, reasons.join(';')));
    if (effect === '') errors.push(fieldErrors.required(`${at}.effect`));
    else append(errors, supportedErrors(effect, `${at}.effect`, taintEffects));
    const key = `${stringAt(taint, 'key')}:${effect}`;
    if (seen.has(key)) {
      const shown = goStruct({
        Key: stringAt(taint, 'key'),
        Value: value,
        Effect: effect,
        TimeAdded: taint['timeAdded'],
      });
      const message = `Duplicate value: ${shown}: taints must be unique by key and effect pair`;
      errors.push({ reason: 'FieldValueDuplicate', field: at, message });
    }
    seen.add(key);
    return errors;
  });
}

function shownStatus(node: ApiObject): string {
  const ready = objectsAt(node, 'status', 'conditions').find(({ type }) => type === 'Ready');
  const condition = ready === undefined ? 'Unknown' : ready['status'] === 'True' ? 'Ready' : 'NotReady';
  return objectAt(node, 'spec')['unschedulable'] === true ? `${condition},SchedulingDisabled` : condition;
}

function roles(node: ApiObject): string {
  const labels = node.metadata.labels ?? {};
  const found = Object.keys(labels)
    .filter((key) => key.startsWith(rolePrefix) && key !== rolePrefix)
    .map((key) => key.slice(rolePrefix.length));
  const plain = labels['kubernetes.io/role'];
  return [...new Set(plain ? [...found, plain] : found)].toSorted().join(',');
}

function address(node: ApiObject, type: string): string {
  const found = objectsAt(node, 'status', 'addresses').find((known) => known['type'] === type);
  return isObject(found) ? stringAt(found, 'address') : '<none>';
}

function kernel(node: ApiObject): string {
  const version = stringAt(node, 'status', 'nodeInfo', 'kernelVersion') || '<unknown>';
  const architecture = stringAt(node, 'status', 'nodeInfo', 'architecture');
  return architecture === '' ? version : `${version} (${architecture})`;
}
