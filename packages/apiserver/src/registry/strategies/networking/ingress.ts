import { isIP } from 'node:net';
import { append } from '@kubewright/api/json';
import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  pathSegmentErrors,
} from '@kubewright/api/names';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { isObject, madeAt, objectAt, objectsAt, stringAt, textsAt, valueAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { looseAddressErrors } from '../rules/addresses.js';
import { portErrors } from '../core/pod-spec/pod-spec-validation.js';
import { portNameErrors } from '../core/pod-spec/value-rules.js';

const classAnnotation = 'kubernetes.io/ingress.class';
const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];
const forbiddenParts = ['//', '/./', '/../', '%2f', '%2F'];
const forbiddenEnds = ['/..', '/.'];
const shownHosts = 3;
const wildcardRule =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower " +
  "case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used " +
  "for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const wildcard = /^\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** The strategy for Ingresses. An Ingress requires rules or a default backend. Each backend is a Service port or another resource. */
export const ingressStrategy: Partial<Strategy> = {
  ownRules: true,
  metadataRules: { validatesAgain: true },
  storageFolder: 'ingress',
  tracksGeneration: true,
  defaults: (draft) => {
    madeAt(draft, 'spec');
  },
  prepareForCreate: (draft) => {
    draft['status'] = { loadBalancer: {} };
  },
  prepareForStatusUpdate: (draft) => {
    madeAt(draft, 'status', 'loadBalancer');
  },
  validate: (ingress) => [...specErrors(ingress), ...annotationErrors(ingress)],
  validateUpdate: specErrors,
  validateStatusUpdate: statusErrors,
  warnings: (ingress, old) => {
    const used = ingress.metadata.annotations?.[classAnnotation] !== undefined;
    if (old !== undefined || !used || valueAt(ingress, 'spec', 'ingressClassName') !== undefined) return [];
    return [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`];
  },
  cells: (ingress, now) => [
    ingress.metadata.name,
    stringAt(ingress, 'spec', 'ingressClassName') || '<none>',
    hostsText(ingress),
    addressesText(ingress),
    objectsAt(ingress, 'spec', 'tls').length > 0 ? '80, 443' : '80',
    age(ingress.metadata.creationTimestamp, now),
  ],
};

function annotationErrors(ingress: ApiObject): readonly FieldError[] {
  const annotation = ingress.metadata.annotations?.[classAnnotation];
  const name = valueAt(ingress, 'spec', 'ingressClassName');
  if (annotation === undefined || name === undefined || annotation === name) return [];
  const why = 'must match `ingressClassName` when both are specified';
  return [fieldErrors.invalid(`annotations.${classAnnotation}`, annotation, why)];
}

function specErrors(ingress: ApiObject): readonly FieldError[] {
  const spec = objectAt(ingress, 'spec');
  const rules = objectsAt(spec, 'rules');
  const errors: FieldError[] = [];
  if (rules.length === 0 && spec['defaultBackend'] === undefined) {
    const why = 'either `defaultBackend` or `rules` must be specified';
    errors.push(fieldErrors.invalid('spec', spec['rules'] ?? null, why));
  }
  if (isObject(spec['defaultBackend'])) append(errors, backendErrors(spec['defaultBackend'], 'spec.defaultBackend'));
  append(
    errors,
    errorsOfEach(rules, (rule, index) => ruleErrors(rule, `spec.rules[${index}]`)),
  );
  append(
    errors,
    errorsOfEach(objectsAt(spec, 'tls'), (tls, index) => tlsErrors(tls, `spec.tls[${index}]`)),
  );
  const name = spec['ingressClassName'];
  if (typeof name === 'string') {
    append(
      errors,
      dns1123SubdomainErrors(name).map((why) => fieldErrors.invalid('spec.ingressClassName', name, why)),
    );
  }
  return errors;
}

function hostErrors(host: string, path: string): readonly FieldError[] {
  const whys = host.includes('*') ? (wildcard.test(host) ? [] : [wildcardRule]) : dns1123SubdomainErrors(host);
  return whys.map((why) => fieldErrors.invalid(path, host, why));
}

function tlsErrors(tls: JsonDraft, path: string): readonly FieldError[] {
  const secret = stringAt(tls, 'secretName');
  return [
    ...errorsOfEach(textsAt(tls, 'hosts'), (host, index) => hostErrors(host, `${path}.hosts[${index}]`)),
    ...(secret === '' ? [] : dns1123SubdomainErrors(secret)).map((why) =>
      fieldErrors.invalid(`${path}.secretName`, secret, why),
    ),
  ];
}

function ruleErrors(rule: JsonDraft, path: string): readonly FieldError[] {
  const host = stringAt(rule, 'host');
  const errors: FieldError[] = [];
  if (isIP(host) !== 0) errors.push(fieldErrors.invalid(`${path}.host`, host, 'must be a DNS name, not an IP address'));
  if (host !== '') append(errors, hostErrors(host, `${path}.host`));
  if (!isObject(rule['http'])) return errors;
  const paths = objectsAt(rule, 'http', 'paths');
  if (paths.length === 0) errors.push(fieldErrors.required(`${path}.http.paths`));
  return [...errors, ...errorsOfEach(paths, (entry, index) => pathErrors(entry, `${path}.http.paths[${index}]`))];
}

function pathErrors(entry: JsonDraft, path: string): readonly FieldError[] {
  const type = entry['pathType'];
  if (type === undefined) return [fieldErrors.required(`${path}.pathType`, 'pathType must be specified')];
  const text = stringAt(entry, 'path');
  const bad = (why: string): FieldError => fieldErrors.invalid(`${path}.path`, text, why);
  const errors: FieldError[] = [];
  if (type === 'Exact' || type === 'Prefix') {
    if (!text.startsWith('/')) errors.push(bad('must be an absolute path'));
    for (const part of forbiddenParts) if (text.includes(part)) errors.push(bad(`must not contain '${part}'`));
    for (const end of forbiddenEnds) if (text.endsWith(end)) errors.push(bad(`cannot end with '${end}'`));
  } else if (type === 'ImplementationSpecific') {
    if (text !== '' && !text.startsWith('/')) errors.push(bad('must be an absolute path'));
  } else {
    errors.push(fieldErrors.notSupported(`${path}.pathType`, type, pathTypes));
  }
  return [...errors, ...backendErrors(objectAt(entry, 'backend'), `${path}.backend`)];
}

function backendErrors(backend: JsonDraft, path: string): readonly FieldError[] {
  const { resource, service } = backend;
  if (isObject(resource) && isObject(service)) {
    return [fieldErrors.invalid(path, '', 'cannot set both resource and service backends')];
  }
  if (isObject(resource)) return resourceErrors(resource, `${path}.resource`);
  if (!isObject(service)) return [fieldErrors.invalid(path, '', 'resource or service backend is required')];
  const name = stringAt(service, 'name');
  const errors: FieldError[] = [];
  if (name === '') errors.push(fieldErrors.required(`${path}.service.name`));
  else
    append(
      errors,
      serviceNameErrors(name).map((why) => fieldErrors.invalid(`${path}.service.name`, name, why)),
    );
  const portName = stringAt(service, 'port', 'name');
  const number = valueAt(service, 'port', 'number') ?? 0;
  if (portName !== '' && number !== 0) {
    errors.push(fieldErrors.invalid(path, '', 'cannot set both port name & port number'));
  } else if (portName !== '') {
    const whys = portNameErrors(portName);
    append(
      errors,
      whys.map((why) => fieldErrors.invalid(`${path}.service.port.name`, portName, why)),
    );
  } else if (number === 0) {
    errors.push(fieldErrors.required(path, 'port name or number is required'));
  } else {
    append(errors, portErrors(number, `${path}.service.port.number`));
  }
  return errors;
}

/** Returns the error texts of a Service name in a backend. A name can be a DNS-1035 label or a DNS-1123 label. */
function serviceNameErrors(name: string): readonly string[] {
  const errors = dns1035LabelErrors(name);
  return errors.length === 0 ? errors : dns1123LabelErrors(name);
}

/** Returns the errors of a reference to an object in the same namespace. */
export function resourceErrors(reference: JsonDraft, path: string): readonly FieldError[] {
  const group = reference['apiGroup'];
  const errors: FieldError[] = [];
  if (typeof group === 'string') {
    append(
      errors,
      dns1123SubdomainErrors(group).map((why) => fieldErrors.invalid(`${path}.apiGroup`, group, why)),
    );
  }
  for (const field of ['kind', 'name']) {
    const value = stringAt(reference, field);
    if (value === '') errors.push(fieldErrors.required(`${path}.${field}`));
    append(
      errors,
      pathSegmentErrors(value).map((why) => fieldErrors.invalid(`${path}.${field}`, value, why)),
    );
  }
  return errors;
}

function statusErrors(next: ApiObject): readonly FieldError[] {
  return errorsOfEach(objectsAt(next, 'status', 'loadBalancer', 'ingress'), (ingress, index) => {
    const path = `status.loadBalancer.ingress[${index}]`;
    const ip = stringAt(ingress, 'ip');
    const host = stringAt(ingress, 'hostname');
    const errors: FieldError[] = ip === '' ? [] : [...looseAddressErrors(ip, `${path}.ip`)];
    if (host === '') return errors;
    append(
      errors,
      dns1123SubdomainErrors(host).map((why) => fieldErrors.invalid(`${path}.hostname`, host, why)),
    );
    if (isIP(host) === 0) return errors;
    return [...errors, fieldErrors.invalid(`${path}.hostname`, host, 'must be a DNS name, not an IP address')];
  });
}

function hostsText(ingress: ApiObject): string {
  const rules = objectsAt(ingress, 'spec', 'rules');
  const hosts = rules.map((rule) => stringAt(rule, 'host')).filter((host) => host !== '');
  if (hosts.length === 0) return '*';
  const shown = hosts.slice(0, shownHosts).join(',');
  return hosts.length >= shownHosts && rules.length > shownHosts
    ? `${shown} + ${rules.length - shownHosts} more...`
    : shown;
}

function addressesText(ingress: ApiObject): string {
  const addresses = objectsAt(ingress, 'status', 'loadBalancer', 'ingress').map(
    (entry) => stringAt(entry, 'ip') || stringAt(entry, 'hostname'),
  );
  return [...new Set(addresses.filter((address) => address !== ''))].toSorted().join(',');
}
