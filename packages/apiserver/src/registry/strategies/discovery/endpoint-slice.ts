import { isIPv4, isIPv6 } from 'node:net';
import { append } from '@kubewright/api/json';
import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  labelValueErrors,
  qualifiedNameErrors,
} from '@kubewright/api/names';
import { deepEqual } from '@kubewright/api/patch';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { equalExceptEmpty } from '../../objects/equal-except-empty.js';
import { madeAt, objectAt, objectsAt, stringAt, textsAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { addressErrors, looseAddressErrors } from '../rules/addresses.js';
import { endpointAddressErrors } from '../rules/endpoint-addresses.js';
import { unchanged } from '../rules/field-checks.js';
import { repeatedPositions } from '../rules/repeated-positions.js';

const addressTypes = ['FQDN', 'IPv4', 'IPv6'];
const protocols = ['SCTP', 'TCP', 'UDP'];
const most = { ports: 20_000, endpoints: 1000, addresses: 100, hints: 8, topology: 16 };
const shownPorts = 3;

/** The strategy for EndpointSlices. All endpoints have the same address type and the same ports. */
export const endpointSliceStrategy: Partial<Strategy> = {
  ownRules: true,
  tracksGeneration: true,
  allowCreateOnUpdate: false,
  defaults: (draft) => {
    draft['addressType'] ??= '';
    for (const endpoint of objectsAt(draft, 'endpoints')) madeAt(endpoint, 'conditions');
    for (const port of objectsAt(draft, 'ports')) {
      port['name'] ??= '';
      port['protocol'] ??= 'TCP';
    }
  },
  prepareForUpdate: (draft, old) => {
    const content = (object: object): JsonDraft => {
      const { addressType, endpoints, ports, metadata } = object as JsonDraft;
      return { addressType, endpoints, ports, labels: objectAt(metadata, 'labels') };
    };
    if (equalExceptEmpty(content(draft), content(old))) return;
    draft.metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
  validate: (slice) => sliceErrors(slice),
  validateUpdate: (next, old) => [...sliceErrors(next, old), ...unchanged(next, old, 'addressType')],
  warnings: (slice) => (slice['addressType'] === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
  cells: (slice, now) => [
    slice.metadata.name,
    stringAt(slice, 'addressType'),
    portsText(slice),
    endpointsText(slice),
    age(slice.metadata.creationTimestamp, now),
  ],
};

function sliceErrors(slice: ApiObject, old?: ApiObject): readonly FieldError[] {
  const type = stringAt(slice, 'addressType');
  const errors: FieldError[] = [];
  if (type === '') errors.push(fieldErrors.required('addressType'));
  else if (!addressTypes.includes(type)) errors.push(fieldErrors.notSupported('addressType', type, addressTypes));
  append(errors, slicePortErrors(objectsAt(slice, 'ports')));
  if (old !== undefined && deepEqual(old['endpoints'], slice['endpoints'])) return errors;
  const endpoints = objectsAt(slice, 'endpoints');
  if (endpoints.length > most.endpoints) {
    return [...errors, fieldErrors.tooMany('endpoints', endpoints.length, most.endpoints)];
  }
  return [
    ...errors,
    ...errorsOfEach(endpoints, (endpoint, index) => endpointErrors(endpoint, type, `endpoints[${index}]`)),
  ];
}

function slicePortErrors(ports: readonly JsonDraft[]): readonly FieldError[] {
  if (ports.length > most.ports) return [fieldErrors.tooMany('ports', ports.length, most.ports)];
  const names = ports.map((port) => stringAt(port, 'name'));
  const repeated = repeatedPositions(names);
  return errorsOfEach(ports, (port, index) => {
    const path = `ports[${index}]`;
    const name = names[index] ?? '';
    const errors: FieldError[] =
      name === '' ? [] : dns1123LabelErrors(name).map((why) => fieldErrors.invalid(`${path}.name`, name, why));
    if (repeated.has(index)) errors.push(fieldErrors.duplicate(`${path}.name`, name));
    const { protocol, appProtocol } = port;
    if (!protocols.includes(String(protocol))) {
      errors.push(fieldErrors.notSupported(`${path}.protocol`, protocol, protocols));
    }
    if (typeof appProtocol !== 'string') return errors;
    const whys = qualifiedNameErrors(appProtocol);
    return [...errors, ...whys.map((why) => fieldErrors.invalid(`${path}.appProtocol`, appProtocol, why))];
  });
}

function endpointErrors(endpoint: JsonDraft, type: string, path: string): readonly FieldError[] {
  const addresses = textsAt(endpoint, 'addresses');
  const at = `${path}.addresses`;
  const errors: FieldError[] = [];
  if (addresses.length === 0) errors.push(fieldErrors.required(at, 'must contain at least 1 address'));
  if (addresses.length > most.addresses) errors.push(fieldErrors.tooMany(at, addresses.length, most.addresses));
  for (const [index, address] of addresses.entries()) {
    append(errors, sliceAddressErrors(address, type, { path: `${at}[${index}]`, list: at }));
  }
  const node = endpoint['nodeName'];
  if (typeof node === 'string') {
    append(
      errors,
      dns1123SubdomainErrors(node).map((why) => fieldErrors.invalid(`${path}.nodeName`, node, why)),
    );
  }
  const host = endpoint['hostname'];
  if (typeof host === 'string') {
    append(
      errors,
      dns1123LabelErrors(host).map((why) => fieldErrors.invalid(`${path}.hostname`, host, why)),
    );
  }
  return [...errors, ...hintErrors(objectAt(endpoint, 'hints'), `${path}.hints`)];
}

function sliceAddressErrors(
  address: string,
  type: string,
  { path, list }: { readonly path: string; readonly list: string },
): readonly FieldError[] {
  if (type === 'FQDN') {
    if (address === '') return [fieldErrors.required(path)];
    const bare = address.endsWith('.') ? address.slice(0, -1) : address;
    const errors = dns1123SubdomainErrors(bare).map((why) => fieldErrors.invalid(path, bare, why));
    if (errors.length > 0 || bare.includes('.')) return errors;
    return [fieldErrors.invalid(path, address, 'should be a domain with at least two segments separated by dots')];
  }
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const errors = type === 'IPv4' ? looseAddressErrors(address, path) : addressErrors(address, path);
  if (errors.length > 0) return errors;
  const fits = type === 'IPv4' ? isIPv4(address) : isIPv6(address);
  const own = fits ? [] : [fieldErrors.invalid(list, address, `must be an ${type} address`)];
  return [...own, ...endpointAddressErrors(address, path)];
}

function hintErrors(hints: JsonDraft, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['forZones', 'forNodes']) {
    const names = objectsAt(hints, field).map((hint) => stringAt(hint, 'name'));
    if (names.length > most.hints)
      return [...errors, fieldErrors.tooMany(`${path}.${field}`, names.length, most.hints)];
    const repeated = repeatedPositions(names);
    for (const [index, name] of names.entries()) {
      const at = `${path}.${field}[${index}].name`;
      if (repeated.has(index)) errors.push(fieldErrors.duplicate(at, name));
      const whys = field === 'forZones' ? labelValueErrors(name) : dns1123SubdomainErrors(name);
      append(
        errors,
        whys.map((why) => fieldErrors.invalid(at, name, why)),
      );
    }
  }
  return errors;
}

function portsText(slice: ApiObject): string {
  const ports = objectsAt(slice, 'ports');
  if (ports.length === 0) return '<unset>';
  const shown = ports.slice(0, shownPorts).map((port) => String(port['port'] ?? port['name'] ?? '*'));
  return listText(shown, ports.length, shownPorts);
}

function endpointsText(slice: ApiObject): string {
  const addresses = objectsAt(slice, 'endpoints').flatMap((endpoint) => textsAt(endpoint, 'addresses'));
  if (addresses.length === 0) return '<unset>';
  return listText(addresses.slice(0, shownPorts), addresses.length, shownPorts);
}

function listText(shown: readonly string[], total: number, most2: number): string {
  return total > most2 ? `${shown.join(',')} + ${total - most2} more...` : shown.join(',');
}
