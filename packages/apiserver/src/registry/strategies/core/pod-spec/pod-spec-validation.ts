import { append } from '@kubewright/api/json';
import { dns1123SubdomainErrors } from '@kubewright/api/names';
import { errorsOfEach, annotationErrors, type FieldError, fieldErrors, labelErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../../objects/api-object.js';
import { isObject, numberAt, objectAt, objectsAt, stringAt, textsAt } from '../../../objects/json-object.js';
import { containerErrors, type ContainerSetting } from './container-rules.js';
import { dnsErrors } from './dns-rules.js';
import { ephemeralContainerErrors } from './ephemeral-container-rules.js';
import { hookErrors } from './hook-rules.js';
import { affinityErrors, spreadErrors } from './label-rules.js';
import { podAnnotationErrors } from './pod-annotation-rules.js';
import { profileMatchErrors } from './profile-annotations.js';
import { podResourceErrors } from './pod-resource-rules.js';
import { listErrors } from './resource-rules.js';
import { podSecurityErrors } from './security-context-rules.js';
import { tolerationErrors } from './toleration-rules.js';
import {
  ipErrors,
  labelNameErrors,
  qualifiedErrors,
  rangeText,
  subdomainErrors,
  supportedErrors,
  unlessEmpty,
} from './value-rules.js';
import { volumesErrors } from './volume-rules.js';
import { ClaimNames } from './claim-names.js';

export { portErrors } from './container-rules.js';

const restartPolicies = ['Always', 'OnFailure', 'Never'];
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const largestInt32 = 2 ** 31 - 1;

/** Returns the errors of a Pod template at `path`. */
export function podTemplateErrors(template: JsonDraft, path: string): readonly FieldError[] {
  const metadata = objectAt(template, 'metadata');
  const spec = objectAt(template, 'spec');
  const errors = [
    ...labelErrors(metadata['labels'], `${path}.labels`),
    ...annotationErrors(metadata['annotations'], `${path}.annotations`),
    ...podAnnotationErrors(metadata, spec, `${path}.annotations`),
    ...podSpecErrors(spec, `${path}.spec`),
    ...profileMatchErrors(metadata, spec, `${path}.spec`),
  ];
  if (objectsAt(spec, 'ephemeralContainers').length > 0) {
    const why = 'ephemeral containers not allowed in pod template';
    errors.push(fieldErrors.forbidden(`${path}.spec.ephemeralContainers`, why));
  }
  return errors;
}

/** Returns the errors of a Pod spec at `path`. `podName` is set for a Pod and undefined for a template. */
export function podSpecErrors(spec: JsonDraft, path: string, podName?: string): readonly FieldError[] {
  const volumes = volumesErrors(objectsAt(spec, 'volumes'), `${path}.volumes`, podName ?? '');
  const setting: ContainerSetting = {
    volumes: volumes.byName,
    claims: new ClaimNames(objectsAt(spec, 'resourceClaims').map((claim) => stringAt(claim, 'name'))),
    restartPolicy: stringAt(spec, 'restartPolicy'),
    hostUsers: spec['hostUsers'] !== false,
  };
  return [
    ...volumes.errors,
    ...mainContainersErrors(spec, path, setting),
    ...initContainersErrors(spec, path, setting),
    ...ephemeralContainerErrors(spec, path, setting),
    ...podResourceErrors(spec, `${path}.resources`, setting.claims),
    ...hostPortErrors(spec, path, podName !== undefined),
    ...supportedErrors(spec['restartPolicy'], `${path}.restartPolicy`, restartPolicies),
    ...supportedErrors(spec['dnsPolicy'], `${path}.dnsPolicy`, dnsPolicies),
    ...labelErrors(spec['nodeSelector'], `${path}.nodeSelector`),
    ...podSecurityErrors(spec, `${path}.securityContext`),
    ...affinityErrors(objectAt(spec, 'affinity'), `${path}.affinity`),
    ...dnsErrors(spec, path),
    ...gateErrors(spec, path),
    ...spreadErrors(objectsAt(spec, 'topologySpreadConstraints'), `${path}.topologySpreadConstraints`),
    ...hostUsersErrors(spec, path),
    ...nameFieldErrors(spec, path),
  ];
}

function mainContainersErrors(spec: JsonDraft, path: string, setting: ContainerSetting): readonly FieldError[] {
  const containers = objectsAt(spec, 'containers');
  const at = `${path}.containers`;
  if (containers.length === 0) return [fieldErrors.required(at)];
  const names = new Set<string>();
  const errors = errorsOfEach(containers, (container, index) => [
    ...containerErrors(container, `${at}[${index}]`, setting),
    ...takenNameErrors(stringAt(container, 'name'), `${at}[${index}].name`, names),
    ...hookErrors(container, `${at}[${index}]`, spec),
    ...restartErrors(container, `${at}[${index}]`),
  ]);
  return [...errors, ...uniqueHostPortErrors(containers, at)];
}

function initContainersErrors(spec: JsonDraft, path: string, setting: ContainerSetting): readonly FieldError[] {
  const names = new Set(objectsAt(spec, 'containers').map((container) => stringAt(container, 'name')));
  return errorsOfEach(objectsAt(spec, 'initContainers'), (container, index) => {
    const at = `${path}.initContainers[${index}]`;
    const sidecar = container['restartPolicy'] === 'Always';
    return [
      ...containerErrors(container, at, setting),
      ...restartErrors(container, at),
      ...takenNameErrors(stringAt(container, 'name'), `${at}.name`, names),
      ...uniqueHostPortErrors([container], `${path}.initContainers`),
      ...(sidecar ? hookErrors(container, at, spec) : noHookErrors(container, at)),
    ];
  });
}

function takenNameErrors(name: string, path: string, names: Set<string>): readonly FieldError[] {
  if (names.has(name)) return [fieldErrors.duplicate(path, name)];
  if (name !== '') names.add(name);
  return [];
}

function noHookErrors(container: JsonDraft, path: string): readonly FieldError[] {
  return ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']
    .filter((field) => container[field] !== undefined)
    .map((field) =>
      fieldErrors.forbidden(`${path}.${field}`, 'may not be set for init containers without restartPolicy=Always'),
    );
}

function restartErrors(container: JsonDraft, path: string): readonly FieldError[] {
  const rules = objectsAt(container, 'restartPolicyRules');
  const policy = container['restartPolicy'];
  const errors: FieldError[] = [];
  if (policy === undefined && rules.length > 0) {
    const why = 'must specify restartPolicy when restart rules are used';
    errors.push(fieldErrors.required(`${path}.restartPolicy`, why));
  }
  append(errors, supportedErrors(policy, `${path}.restartPolicy`, ['Always', 'Never', 'OnFailure']));
  if (rules.length > 20) errors.push(fieldErrors.tooMany(`${path}.restartPolicyRules`, rules.length, 20));
  return [
    ...errors,
    ...errorsOfEach(rules, (rule, index) => {
      const at = `${path}.restartPolicyRules[${index}]`;
      const actions = ['Restart', 'RestartAllContainers'];
      const codes = rule['exitCodes'];
      return [
        ...supportedErrors(rule['action'] ?? '', `${at}.action`, actions),
        ...(isObject(codes)
          ? supportedErrors(codes['operator'] ?? '', `${at}.exitCodes.operator`, ['In', 'NotIn'])
          : [fieldErrors.required(`${at}.exitCodes`, 'must be specified')]),
      ];
    }),
  ];
}

function uniqueHostPortErrors(containers: readonly JsonDraft[], path: string): readonly FieldError[] {
  const taken = new Set<string>();
  return errorsOfEach(containers, (container, index) =>
    errorsOfEach(objectsAt(container, 'ports'), (port, at) => {
      if (!port['hostPort']) return [];
      const text = `${String(port['protocol'])}/${stringAt(port, 'hostIP')}/${String(port['hostPort'])}`;
      if (taken.has(text)) return [fieldErrors.duplicate(`${path}[${index}].ports[${at}].hostPort`, text)];
      taken.add(text);
      return [];
    }),
  );
}

function hostPortErrors(spec: JsonDraft, path: string, isPod: boolean): readonly FieldError[] {
  if (spec['hostNetwork'] !== true) return [];
  return errorsOfEach(objectsAt(spec, 'containers'), (container, index) =>
    errorsOfEach(objectsAt(container, 'ports'), (port, at) => {
      const hostPort = port['hostPort'] ?? 0;
      if (hostPort === port['containerPort'] || (!isPod && hostPort === 0)) return [];
      const why = 'must match `containerPort` when `hostNetwork` is true';
      return [fieldErrors.invalid(`${path}.containers[${index}].ports[${at}].hostPort`, hostPort, why)];
    }),
  );
}

function gateErrors(spec: JsonDraft, path: string): readonly FieldError[] {
  const seen = new Set<string>();
  return [
    ...errorsOfEach(objectsAt(spec, 'readinessGates'), (gate, index) =>
      qualifiedErrors(stringAt(gate, 'conditionType'), `${path}.readinessGates[${index}].conditionType`),
    ),
    ...errorsOfEach(objectsAt(spec, 'schedulingGates'), (gate, index) => {
      const at = `${path}.schedulingGates[${index}]`;
      const name = stringAt(gate, 'name');
      const errors = [...qualifiedErrors(name, at)];
      if (seen.has(name)) errors.push(fieldErrors.duplicate(at, name));
      seen.add(name);
      return errors;
    }),
  ];
}

function hostUsersErrors(spec: JsonDraft, path: string): readonly FieldError[] {
  if (spec['hostUsers'] !== false) return [];
  const why = 'when `hostUsers` is false';
  return [
    ['hostNetwork', 'hostNetwork'],
    ['hostPID', 'HostPID'],
    ['hostIPC', 'HostIPC'],
  ].flatMap(([field = '', shown]) => (spec[field] === true ? [fieldErrors.forbidden(`${path}.${shown}`, why)] : []));
}

function nameFieldErrors(spec: JsonDraft, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['serviceAccountName', 'nodeName']) {
    append(errors, unlessEmpty(stringAt(spec, field), `${path}.${field}`, dns1123SubdomainErrors));
  }
  const deadline = numberAt(spec, 'activeDeadlineSeconds');
  if (deadline !== undefined && (deadline < 1 || deadline > largestInt32)) {
    errors.push(fieldErrors.invalid(`${path}.activeDeadlineSeconds`, deadline, rangeText(1, largestInt32)));
  }
  for (const field of ['hostname', 'subdomain']) {
    const name = stringAt(spec, field);
    if (name !== '') append(errors, labelNameErrors(name, `${path}.${field}`));
  }
  append(errors, tolerationErrors(objectsAt(spec, 'tolerations'), `${path}.tolerations`));
  for (const [index, alias] of objectsAt(spec, 'hostAliases').entries()) {
    const at = `${path}.hostAliases[${index}]`;
    append(errors, ipErrors(stringAt(alias, 'ip'), `${at}.ip`));
    append(
      errors,
      errorsOfEach(textsAt(alias, 'hostnames'), (name, of) => subdomainErrors(name, `${at}.hostnames[${of}]`)),
    );
  }
  for (const field of ['priorityClassName', 'runtimeClassName']) {
    append(errors, unlessEmpty(stringAt(spec, field), `${path}.${field}`, dns1123SubdomainErrors));
  }
  append(
    errors,
    supportedErrors(spec['preemptionPolicy'], `${path}.preemptionPolicy`, ['PreemptLowerPriority', 'Never']),
  );
  append(errors, listErrors(objectAt(spec, 'overhead'), `${path}.overhead.limits`));
  const { os } = spec as { os?: unknown };
  if (!isObject(os)) return errors;
  const name = stringAt(os, 'name');
  if (name === '') errors.push(fieldErrors.required(`${path}.os.name`));
  else append(errors, supportedErrors(name, `${path}.os`, ['linux', 'windows']));
  return errors;
}

/** Returns the error of a field with an unsupported value. */
export function oneOf(
  object: JsonDraft,
  field: string,
  { path, allowed }: { readonly path: string; readonly allowed: readonly string[] },
): readonly FieldError[] {
  return supportedErrors(object[field], `${path}.${field}`, allowed.toSorted());
}

/** Returns the error of a number below the minimum. */
export function minimum(
  object: JsonDraft,
  field: string,
  { path, least }: { readonly path: string; readonly least: number },
): readonly FieldError[] {
  const value = object[field];
  if (typeof value !== 'number' || value >= least) return [];
  return [fieldErrors.invalid(`${path}.${field}`, value, `must be greater than or equal to ${least}`)];
}
