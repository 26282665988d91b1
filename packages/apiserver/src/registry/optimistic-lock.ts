import { fieldErrors } from '@kubewright/api/schema';
import type { ApiObject, DraftObject } from './json-object.js';
import type { Registry } from './registry.js';
import type { RequestContext } from './request-context.js';
import type { ResourceDefinition } from './resource-definition.js';
import { conflict, failure, invalid, modified } from './status-errors.js';
import { versionFault } from './version-fault.js';

/** Folders of the real server's storage that are not called after their resource; its refusals name them. */
const folders: Readonly<Record<string, string>> = {
  '/endpoints': 'services/endpoints',
  '/nodes': 'minions',
  '/replicationcontrollers': 'controllers',
  '/services': 'services/specs',
  'networking.k8s.io/ingresses': 'ingress',
};

const removedMeanwhile = 'the server could not find the requested resource';

/** Groups whose folder is inside one of the group's own. */
const grouped = ['apiextensions.k8s.io', 'apiregistration.k8s.io'];

/** Throws 409 when an object that is replaced is not the one of that uid, but a later one of the same name. */
export function checkUid(
  definition: ResourceDefinition,
  { namespace, name, uid }: { readonly namespace?: string | undefined; readonly name: string; readonly uid?: string },
  expected: string | undefined,
): void {
  if (expected === undefined || expected === uid) return;
  const key = `/registry/${folderOf(definition)}/${namespace === undefined ? '' : `${namespace}/`}${name}`;
  const why = `Precondition failed: UID in precondition: ${expected}, UID in object meta: ${uid ?? ''}`;
  const code = `Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
  throw conflict(definition, name, `StorageError: invalid object, ${code}`);
}

/** Throws 409 unless the object is the one, in the version, that the client has seen. */
export function checkVersion(
  { metadata }: DraftObject,
  live: ApiObject,
  { definition, context }: { readonly definition: ResourceDefinition; readonly context: RequestContext },
): void {
  const { name } = live.metadata;
  if (context.verb === 'update') checkUid(definition, live.metadata, metadata.uid);
  const expected = parseVersion(metadata.resourceVersion);
  if (expected !== '0') {
    if (expected !== live.metadata.resourceVersion) throw conflict(definition, name, modified);
  } else if (!definition.strategy.allowUnconditionalUpdate) {
    throw invalid({ ...definition, kind: definition.plural }, name, [
      fieldErrors.invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
    ]);
  }
}

/** Throws 404 if a write after version `begun` has removed the kind. */
export function checkServed(registry: Registry, definition: ResourceDefinition, begun: string): void {
  if (registry.store.resourceVersion === begun) return;
  const { group, version, plural, era } = definition;
  const served = registry.find(group, version, plural);
  if (served === undefined || served.era !== era)
    throw failure(404, 'NotFound', { message: removedMeanwhile, details: {} });
}

/** A resourceVersion as a number in digits, '0' when there is none. Throws what a kube-apiserver answers to other texts. */
export function parseVersion(text: string | undefined): string {
  if (text === undefined || text === '') return '0';
  const fault = versionFault(text);
  if (fault !== undefined) throw failure(500, '', { message: fault });
  return text.replace(/^0+(?=\d)/, '');
}

function folderOf({ storageBucket, group, custom, plural }: ResourceDefinition): string {
  if (custom === true || grouped.includes(group)) return `${group}/${plural}`;
  return folders[storageBucket] ?? plural;
}
