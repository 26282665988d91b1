import { deepFreeze } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';
import { aggregatedRules } from './strategies/rbac/aggregated-rules.js';
import type { ClusterData } from './cluster-data/cluster-data.js';
import type { JsonObject } from './objects/api-object.js';
import { isObject, objectAt, objectsAt } from './objects/json-object.js';
import { timestamp } from './metadata/metadata-rules.js';
import type { Registry } from './registry.js';

const made = new WeakMap<ClusterData, readonly JsonObject[]>();

/**
 * Creates the initial objects of a new cluster, such as the namespaces, the Service of the API server, the ClusterRoles and the
 * PriorityClasses. Does not change objects that exist. The data was recorded from a kube-apiserver, so the objects are not validated.
 */
export function bootstrap(registry: Registry): void {
  const creationTimestamp = timestamp(registry.clock.now());
  const kinds = new Map(
    registry.all().map((definition) => [`${definition.apiVersion} ${definition.kind}`, definition]),
  );
  for (const object of bootstrapObjects(registry.data)) {
    const definition = kinds.get(`${String(object['apiVersion'])} ${String(object['kind'])}`);
    if (definition === undefined)
      throw new RangeError(`no resource for the bootstrap object ${String(object['kind'])}`);
    const metadata = objectAt(object, 'metadata') as { readonly name: string; readonly namespace?: string };
    if (registry.store.get(definition.storageBucket, metadata) !== undefined) continue;
    const generation = definition.strategy.tracksGeneration ? { generation: 1 } : {};
    const status = definition.strategy.initialStatus?.(object, creationTimestamp);
    const { kind, apiVersion } = definition;
    const { initialFinalizers: finalizers } = definition.strategy;
    registry.store.create(definition.storageBucket, {
      kind,
      apiVersion,
      ...object,
      metadata: {
        ...metadata,
        uid: registry.clock.random.uuid(),
        creationTimestamp,
        ...generation,
        ...(finalizers && { finalizers }),
      },
      ...(status !== undefined && !isObject(object['status']) ? { status } : {}),
    });
  }
}

/** Returns the initial objects. All servers of a process with the same version share these objects, so they are created only once. */
function bootstrapObjects(data: ClusterData): readonly JsonObject[] {
  const known = made.get(data);
  if (known !== undefined) return known;
  const objects = deepFreeze(withAggregatedRules(data.bootstrap));
  made.set(data, objects);
  return objects;
}

/**
 * Adds the aggregated rules to ClusterRoles, so that the rules are complete before the controller for ClusterRole aggregation starts. The
 * loop repeats because a role can aggregate roles that aggregate other roles.
 */
function withAggregatedRules(objects: readonly JsonObject[]): readonly JsonObject[] {
  let current = objects;
  for (;;) {
    const roles = current.filter(({ kind }) => kind === 'ClusterRole');
    const next = current.map((object) => {
      if (!isObject(object['aggregationRule'])) return object;
      const rules = aggregatedRules(object, roles);
      return deepEqual(rules, objectsAt(object, 'rules')) ? object : { ...object, rules };
    });
    if (next.every((object, index) => object === current[index])) return current;
    current = next;
  }
}
