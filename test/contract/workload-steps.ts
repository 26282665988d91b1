import type { ContractAnswer, ContractApi } from './contract-api.js';
import type { Json } from './json.js';

/** The paths of the objects that a case creates. */
export const paths = {
  core: (api: ContractApi, plural: string): string => `/api/v1/namespaces/${api.namespace}/${plural}`,
  apps: (api: ContractApi, plural: string): string => `/apis/apps/v1/namespaces/${api.namespace}/${plural}`,
  batch: (api: ContractApi, plural: string): string => `/apis/batch/v1/namespaces/${api.namespace}/${plural}`,
};

/** The compared paths of an object: everything except managed fields. */
export const whole = [
  'metadata.annotations',
  'metadata.finalizers',
  'metadata.generation',
  'metadata.labels',
  'metadata.name',
  'metadata.ownerReferences',
  'spec',
  'status',
];

/** The same paths for each object of a list. */
export const wholeItems = whole.map((path) => `items.*.${path}`);

const hashLabels = ['pod-template-hash', 'controller-revision-hash', 'controller.kubernetes.io/hash'];

/** Masks names, hashes, nodes and addresses that a server generated. Hashes are numbered in the order of their revisions. */
export async function learnNames(api: ContractApi): Promise<void> {
  const owners = [
    ...(await items(api, paths.apps(api, 'replicasets'))),
    ...(await items(api, paths.apps(api, 'controllerrevisions'))),
  ].toSorted((a, b) => revisionOf(a) - revisionOf(b));
  for (const owner of owners) {
    for (const label of hashLabels) {
      const hash = owner.metadata.labels?.[label];
      if (typeof hash === 'string') api.mask(hash, `<hash-${revisionOf(owner)}>`);
    }
  }
  const made = [
    ...(await items(api, paths.core(api, 'pods'))),
    ...(await items(api, `/apis/discovery.k8s.io/v1/namespaces/${api.namespace}/endpointslices`)),
  ];
  for (const { metadata, spec, status } of made) {
    const { name, generateName } = metadata;
    // The names of a StatefulSet's Pods end with an ordinal, which is not generated.
    if (typeof generateName === 'string' && name.startsWith(generateName) && name.length === generateName.length + 5) {
      api.mask(name, `${generateName}<generated>`);
    }
    if (spec?.nodeName !== undefined) api.mask(spec.nodeName, '<node>');
    if (status?.hostIP !== undefined) api.mask(status.hostIP, '<host>');
  }
}

/** Waits until an object matches, and masks its generated names. */
export async function settled(api: ContractApi, path: string, isSo: (body: Json) => boolean): Promise<ContractAnswer> {
  const answer = await api.until(path, ({ status, body }) => status === 200 && isSo(body));
  await learnNames(api);
  return answer;
}

/** Compares the Events about an object in the order of their creation. */
export async function compareEvents(api: ContractApi, kind: string, name: string): Promise<void> {
  const selected = `fieldSelector=involvedObject.kind=${kind},involvedObject.name=${name}`;
  await api.get(`${paths.core(api, 'events')}?${selected}`, {
    only: ['type', 'reason', 'message', 'source', 'reportingComponent', 'involvedObject.apiVersion'].map(
      (path) => `items.*.${path}`,
    ),
  });
}

/** Waits for an Event with this reason about the object with this name. */
export async function eventOf(api: ContractApi, name: string, reason: string): Promise<void> {
  const path = `${paths.core(api, 'events')}?fieldSelector=involvedObject.name=${name},reason=${reason}`;
  await api.until(path, ({ body }) => body.items.length > 0);
}

/** Returns the reason of a condition with the given status. */
export function reasonOf(body: Json, type: string, status = 'True'): string | undefined {
  const conditions: readonly Json[] = body.status?.conditions ?? [];
  return conditions.find((condition) => condition.type === type && condition.status === status)?.reason;
}

/** Whether all Pods of a Deployment are updated and available, and the status reports the current generation. */
export function isRolledOut(body: Json): boolean {
  const { spec, status, metadata } = body;
  return (
    status?.observedGeneration === metadata.generation &&
    (status.updatedReplicas ?? 0) === spec.replicas &&
    (status.replicas ?? 0) === spec.replicas &&
    (status.availableReplicas ?? 0) === spec.replicas &&
    status.terminatingReplicas === 0 &&
    reasonOf(body, 'Progressing') === 'NewReplicaSetAvailable'
  );
}

async function items(api: ContractApi, path: string): Promise<readonly Json[]> {
  const { body } = await api.get(path, { quiet: true });
  return body.items ?? [];
}

function revisionOf(owner: Json): number {
  return Number(owner.revision ?? owner.metadata.annotations?.['deployment.kubernetes.io/revision'] ?? 0);
}
