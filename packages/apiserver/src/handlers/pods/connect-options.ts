import type { AdmissionRequest } from '../../registry/admission/admission-check.js';
import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';
import type { IncomingObject, JsonDraft } from '../../registry/objects/api-object.js';
import type { Registry } from '../../registry/registry.js';
import { contextOf } from '../query-options.js';
import { isTrue } from '../request-info.js';
import { keyOf, type ResourceRequest } from '../verbs.js';

const flags = ['stdin', 'stdout', 'stderr', 'tty'] as const;

/**
 * Returns the admission request for a connection to a Pod, Service or Node, such as `exec`. The object of the request contains the options
 * of the connection.
 */
export function connectRequest(
  { request, info, resource }: Pick<ResourceRequest, 'request' | 'info' | 'resource'>,
  registry: Registry,
): AdmissionRequest {
  const { definition } = resource;
  const { subresource = '' } = info;
  const key = keyOf(info);
  const kind = optionsKind(definition, subresource);
  const options = subresource === 'proxy' ? { path: info.proxyPath ?? '' } : optionsOf(subresource, request.query);
  const object = { kind: kind.kind, apiVersion: kind.apiVersion, ...options };
  // The options have no metadata, but selectors and checks read `metadata`. The JSON of the object does not contain this property.
  Object.defineProperty(object, 'metadata', { value: {}, enumerable: false });
  return {
    operation: 'CONNECT',
    definition,
    kind,
    key,
    name: key.name,
    object: object as unknown as IncomingObject,
    old: undefined,
    context: contextOf(request, info),
    registry,
  };
}

function optionsKind(definition: ResourceDefinition, subresource: string): ResourceDefinition {
  const { group = '', version = 'v1', kind = '' } = definition.subresources.get(subresource) ?? {};
  return { ...definition, group, version, apiVersion: group === '' ? version : `${group}/${version}`, kind };
}

/** Returns the ports in the query. A parameter can contain several ports, separated by commas. A text that is not a number becomes NaN. */
export function portsOf(query: URLSearchParams): readonly number[] {
  return query.getAll('ports').flatMap((text) => text.split(',').map(Number));
}

/** Returns the options in the query. Options that are not set are omitted. */
function optionsOf(subresource: string, query: URLSearchParams): JsonDraft {
  if (subresource === 'portforward') {
    const ports = portsOf(query).filter(Number.isInteger);
    return ports.length === 0 ? {} : { ports };
  }
  const options: JsonDraft = {};
  for (const flag of flags) {
    if (isTrue(query.get(flag))) options[flag] = true;
  }
  const container = query.get('container');
  if (container) options['container'] = container;
  const command = query.getAll('command');
  if (subresource === 'exec' && command.length > 0) options['command'] = command;
  return options;
}
