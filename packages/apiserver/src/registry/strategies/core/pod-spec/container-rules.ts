import { append } from '@kubewright/api/json';
import { dns1123SubdomainErrors } from '@kubewright/api/names';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../../objects/api-object.js';
import { isObject, objectAt, objectsAt, stringAt } from '../../../objects/json-object.js';
import { keyTextErrors } from '../config-map.js';
import { fieldReferenceErrors, resourceReferenceErrors, variableFields } from './field-reference-rules.js';
import { mountErrors } from './mount-rules.js';
import { requirementErrors } from './resource-rules.js';
import { containerSecurityErrors } from './security-context-rules.js';
import {
  backstepErrors,
  each,
  labelNameErrors,
  portNameErrors,
  rangeText,
  supportedErrors,
  unlessEmpty,
  variableNameErrors,
} from './value-rules.js';
import type { ClaimNames } from './claim-names.js';

/** The Pod settings that all containers share. */
export interface ContainerSetting {
  readonly volumes: ReadonlyMap<string, JsonDraft>;
  readonly claims: ClaimNames;
  readonly restartPolicy: string;
  readonly hostUsers: boolean;
}

/** Returns the errors that any kind of container can have. */
export function containerErrors(container: JsonDraft, path: string, setting: ContainerSetting): readonly FieldError[] {
  const name = stringAt(container, 'name');
  const errors = [...(name === '' ? [fieldErrors.required(`${path}.name`)] : labelNameErrors(name, `${path}.name`))];
  if (stringAt(container, 'image') === '') errors.push(fieldErrors.required(`${path}.image`));
  const messages = container['terminationMessagePolicy'];
  append(
    errors,
    supportedErrors(messages, `${path}.terminationMessagePolicy`, ['File', 'FallbackToLogsOnError']),
    portsErrors(objectsAt(container, 'ports'), `${path}.ports`),
    variablesErrors(objectsAt(container, 'env'), `${path}.env`),
    variableSourcesErrors(objectsAt(container, 'envFrom'), `${path}.envFrom`),
    mountErrors(container, path, setting.volumes),
    supportedErrors(container['imagePullPolicy'], `${path}.imagePullPolicy`, ['Always', 'IfNotPresent', 'Never']),
    requirementErrors(objectAt(container, 'resources'), `${path}.resources`, setting),
    resizePolicyErrors(objectsAt(container, 'resizePolicy'), `${path}.resizePolicy`, setting.restartPolicy),
    containerSecurityErrors(container['securityContext'], `${path}.securityContext`, setting.hostUsers),
  );
  return errors;
}

/** Returns the error of a port number that is out of range. */
export function portErrors(port: unknown, path: string): readonly FieldError[] {
  if (typeof port === 'number' && port >= 1 && port <= 65535) return [];
  return [fieldErrors.invalid(path, port, rangeText(1, 65535))];
}

/** Returns the errors of a port that is a number or a name. */
export function portReferenceErrors(port: unknown, path: string): readonly FieldError[] {
  return typeof port === 'string' ? each(port, path, portNameErrors) : portErrors(port ?? 0, path);
}

function portsErrors(ports: readonly JsonDraft[], path: string): readonly FieldError[] {
  const names = new Set<string>();
  return errorsOfEach(ports, (port, index) => {
    const at = `${path}[${index}]`;
    const name = stringAt(port, 'name');
    const errors = [...unlessEmpty(name, `${at}.name`, portNameErrors)];
    if (name !== '' && errors.length === 0) {
      if (names.has(name)) errors.push(fieldErrors.duplicate(`${at}.name`, name));
      names.add(name);
    }
    const { containerPort, hostPort } = port as { containerPort?: unknown; hostPort?: unknown };
    append(
      errors,
      containerPort ? portErrors(containerPort, `${at}.containerPort`) : [fieldErrors.required(`${at}.containerPort`)],
    );
    if (hostPort) append(errors, portErrors(hostPort, `${at}.hostPort`));
    return [...errors, ...supportedErrors(port['protocol'], `${at}.protocol`, ['SCTP', 'TCP', 'UDP'])];
  });
}

function variablesErrors(variables: readonly JsonDraft[], path: string): readonly FieldError[] {
  return errorsOfEach(variables, (variable, index) => {
    const at = `${path}[${index}]`;
    const name = stringAt(variable, 'name');
    const errors = name === '' ? [fieldErrors.required(`${at}.name`)] : each(name, `${at}.name`, variableNameErrors);
    const { valueFrom } = variable as { valueFrom?: unknown };
    if (!isObject(valueFrom)) return errors;
    return [...errors, ...valueSourceErrors(valueFrom, `${at}.valueFrom`, stringAt(variable, 'value'))];
  });
}

const valueSources: Readonly<Record<string, (source: JsonDraft, path: string) => readonly FieldError[]>> = {
  fieldRef: (source, path) => fieldReferenceErrors(source, path, variableFields),
  resourceFieldRef: (source, path) => resourceReferenceErrors(source, path, false),
  configMapKeyRef: keyReferenceErrors,
  secretKeyRef: keyReferenceErrors,
  fileKeyRef: (source, path) => {
    const key = stringAt(source, 'key');
    const volume = stringAt(source, 'volumeName');
    const file = stringAt(source, 'path');
    return [
      ...(key === '' ? [fieldErrors.required(`${path}.key`)] : each(key, `${path}.key`, variableNameErrors)),
      ...(volume === '' ? [fieldErrors.required(`${path}.volumeName`)] : labelNameErrors(volume, `${path}.volumeName`)),
      ...(file === '' ? [fieldErrors.required(`${path}.path`)] : backstepErrors(file, `${path}.path`)),
    ];
  },
};

function valueSourceErrors(source: JsonDraft, path: string, value: string): readonly FieldError[] {
  const kinds = Object.keys(valueSources).filter((kind) => isObject(source[kind]));
  const errors = kinds.flatMap((kind) => valueSources[kind]?.(source[kind] as JsonDraft, `${path}.${kind}`) ?? []);
  const refuse = (why: string): readonly FieldError[] => [...errors, fieldErrors.invalid(path, '', why)];
  if (kinds.length === 0) {
    return refuse(
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
    );
  }
  if (value !== '') return refuse('may not be specified when `value` is not empty');
  return kinds.length > 1 ? refuse('may not have more than one field specified at a time') : errors;
}

function keyReferenceErrors(source: JsonDraft, path: string): readonly FieldError[] {
  const key = stringAt(source, 'key');
  return [
    ...each(stringAt(source, 'name'), `${path}.name`, dns1123SubdomainErrors),
    ...(key === '' ? [fieldErrors.required(`${path}.key`)] : each(key, `${path}.key`, keyTextErrors)),
  ];
}

function variableSourcesErrors(sources: readonly JsonDraft[], path: string): readonly FieldError[] {
  return errorsOfEach(sources, (source, index) => {
    const errors = [...unlessEmpty(stringAt(source, 'prefix'), `${path}[${index}].prefix`, variableNameErrors)];
    const kinds = ['configMapRef', 'secretRef'].filter((kind) => isObject(source[kind]));
    for (const kind of kinds) {
      const at = `${path}[${index}].${kind}.name`;
      const name = stringAt(source, kind, 'name');
      append(errors, name === '' ? [fieldErrors.required(at)] : each(name, at, dns1123SubdomainErrors));
    }
    if (kinds.length === 0) {
      errors.push(fieldErrors.invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    } else if (kinds.length > 1) {
      errors.push(fieldErrors.invalid(path, '', 'may not have more than one field specified at a time'));
    }
    return errors;
  });
}

function resizePolicyErrors(
  policies: readonly JsonDraft[],
  path: string,
  restartPolicy: string,
): readonly FieldError[] {
  const seen = new Set<string>();
  return errorsOfEach(policies, (policy, index) => {
    const name = stringAt(policy, 'resourceName');
    const restart = stringAt(policy, 'restartPolicy');
    const errors: FieldError[] = [];
    if (seen.has(name)) errors.push(fieldErrors.duplicate(`${path}[${index}]`, name));
    seen.add(name);
    append(errors, name === '' ? [fieldErrors.required(path)] : supportedErrors(name, path, ['cpu', 'memory']));
    append(
      errors,
      restart === ''
        ? [fieldErrors.required(path)]
        : supportedErrors(restart, path, ['NotRequired', 'RestartContainer']),
    );
    if (restartPolicy === 'Never' && restart !== 'NotRequired') {
      const why = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
      errors.push(fieldErrors.invalid(path, restart, why));
    }
    return errors;
  });
}
