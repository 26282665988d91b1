import type { ContractCase } from './contract.js';

/** An object to create, and merge patches that are sent one after the other. */
export type Update = readonly [path: string, object: object, ...patches: readonly object[]];

function updated(title: string, [path, object, ...patches]: Update, isNamespaced: boolean): ContractCase {
  const plural = title.slice(0, title.indexOf(':'));
  return async (api) => {
    const name = isNamespaced ? 'a' : api.name('updated');
    const objects = `${path}${isNamespaced ? `/namespaces/${api.namespace}` : ''}/${plural}`;
    await api.post(objects, { metadata: { name }, ...object }, { quiet: true });
    for (const patch of patches) await api.patch(`${objects}/${name}`, patch, { only });
    // The controllers that remove protection finalizers run only on servers with workloads.
    await api.patch(`${objects}/${name}`, { metadata: { finalizers: null } }, { quiet: true });
  };
}

/** The parts of an answer that do not depend on controllers, which also change the status and the metadata. */
const only = [
  'message',
  'reason',
  'details',
  'metadata.generation',
  'metadata.labels',
  'spec',
  'template',
  'data',
  'type',
  'immutable',
  'revision',
  'subsets',
  'endpoints',
  'ports',
  'addressType',
  'secrets',
  'imagePullSecrets',
  'automountServiceAccountToken',
  'capacity',
  'maximumVolumeSize',
  'storageClassName',
  'nodeTopology',
  'subjects',
  'roleRef',
  'count',
  'parameters',
  'driverName',
  'allowedTopologies',
  'volumeBindingMode',
  'reclaimPolicy',
  'mountOptions',
  'allowVolumeExpansion',
  'value',
  'preemptionPolicy',
  'description',
  'handler',
  'overhead',
  'scheduling',
  'rules',
  'aggregationRule',
];

/** Returns a case for each title, which begins with the plural name of the kind. */
export const casesOf = (
  updates: Readonly<Record<string, Update>>,
  isNamespaced: boolean,
): Readonly<Record<string, ContractCase>> =>
  Object.fromEntries(Object.entries(updates).map(([title, update]) => [title, updated(title, update, isNamespaced)]));
