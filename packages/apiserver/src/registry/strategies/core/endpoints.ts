import { append } from '@kubewright/api/json';
import { dns1123SubdomainErrors } from '@kubewright/api/names';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { objectsAt, stringAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { endpointAddressErrors } from '../rules/endpoint-addresses.js';
import { fill } from '../rules/field-checks.js';
import { portErrors } from './pod-spec/container-rules.js';
import { each, ipErrors, labelNameErrors, supportedErrors } from './pod-spec/value-rules.js';

const mostShown = 3;

/** The strategy for Endpoints, the deprecated predecessor of EndpointSlices. */
export const endpointsStrategy: Partial<Strategy> = {
  ownRules: true,
  metadataRules: { validatesAgain: true },
  storageFolder: 'services/endpoints',
  allowCreateOnUpdate: true,
  deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  defaults: (draft) => {
    for (const subset of objectsAt(draft, 'subsets')) {
      for (const port of objectsAt(subset, 'ports')) fill(port, { protocol: 'TCP' });
    }
  },
  validate: endpointsErrors,
  validateUpdate: endpointsErrors,
  cells: (endpoints, now) => [
    endpoints.metadata.name,
    shownEndpoints(endpoints),
    age(endpoints.metadata.creationTimestamp, now),
  ],
};

function endpointsErrors(endpoints: ApiObject): readonly FieldError[] {
  return errorsOfEach(objectsAt(endpoints, 'subsets'), (subset, index) => {
    const at = `subsets[${index}]`;
    const addresses = ['addresses', 'notReadyAddresses'].map((field) => ({ field, items: objectsAt(subset, field) }));
    const errors: FieldError[] = [];
    if (addresses.every(({ items }) => items.length === 0)) {
      errors.push(fieldErrors.required(at, 'must specify `addresses` or `notReadyAddresses`'));
    }
    for (const { field, items } of addresses) {
      items.forEach((address, place) => {
        append(errors, addressErrors(address, `${at}.${field}[${place}]`));
      });
    }
    const ports = objectsAt(subset, 'ports');
    return [
      ...errors,
      ...errorsOfEach(ports, (port, place) => endpointPortErrors(port, `${at}.ports[${place}]`, ports.length > 1)),
    ];
  });
}

function addressErrors(address: JsonDraft, path: string): readonly FieldError[] {
  const ip = stringAt(address, 'ip');
  const host = stringAt(address, 'hostname');
  const node = address['nodeName'];
  const wrong = ipErrors(ip, `${path}.ip`);
  return [
    ...wrong,
    ...(host === '' ? [] : labelNameErrors(host, `${path}.hostname`)),
    ...(typeof node === 'string' ? each(node, `${path}.nodeName`, dns1123SubdomainErrors) : []),
    ...reachableErrors(ip, `${path}.ip`, wrong.length === 0),
  ];
}

function reachableErrors(ip: string, path: string, isValid: boolean): readonly FieldError[] {
  if (isValid) return endpointAddressErrors(ip, path);
  // This rule accepts leading zeros in numbers, which the rule for the format rejects.
  const isKnown = ip.split('.').length === 4 && ip.split('.').every((part) => /^\d+$/.test(part) && Number(part) < 256);
  return isKnown ? [] : [fieldErrors.invalid(path, ip, 'must be a valid IP address')];
}

function endpointPortErrors(port: JsonDraft, path: string, named: boolean): readonly FieldError[] {
  const name = stringAt(port, 'name');
  const errors: FieldError[] = [];
  if (name !== '') append(errors, labelNameErrors(name, `${path}.name`));
  else if (named) errors.push(fieldErrors.required(`${path}.name`));
  return [
    ...errors,
    ...portErrors(port['port'] ?? 0, `${path}.port`),
    ...supportedErrors(port['protocol'], `${path}.protocol`, ['SCTP', 'TCP', 'UDP']),
  ];
}

/** Formats the first three addresses with their ports, and the number of further addresses. Returns `<none>` if there are no addresses. */
function shownEndpoints(endpoints: ApiObject): string {
  const all = objectsAt(endpoints, 'subsets').flatMap((subset) => {
    const addresses = objectsAt(subset, 'addresses').map((address) => stringAt(address, 'ip'));
    const ports = objectsAt(subset, 'ports');
    if (ports.length === 0) return addresses;
    return ports.flatMap(({ port }) =>
      addresses.map((ip) => (ip.includes(':') ? `[${ip}]:${String(port)}` : `${ip}:${String(port)}`)),
    );
  });
  if (all.length === 0) return '<none>';
  const more = all.length > mostShown ? ` + ${all.length - mostShown} more...` : '';
  return `${all.slice(0, mostShown).join(',')}${more}`;
}
