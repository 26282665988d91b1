import type { Store } from '../../storage/store.js';
import type { Strategy } from '../strategy.js';
import { configMapStrategy } from './config-map.js';
import { customResourceDefinitionStrategy } from './custom-resource-definition.js';
import { deploymentStrategy } from './deployment.js';
import { coreEventStrategy, eventStrategy } from './event.js';
import { leaseStrategy } from './lease.js';
import { namespaceStrategy } from './namespace.js';
import { podStrategy } from './pod.js';
import { replicaSetStrategy } from './replica-set.js';
import { secretStrategy } from './secret.js';
import { serviceAccountStrategy } from './service-account.js';
import { serviceStrategy } from './service.js';

/** Names of RBAC objects may be anything that fits in a path. */
const pathSegment: Partial<Strategy> = {
  allowCreateOnUpdate: true,
  nameErrors: (name) => {
    if (name === '.' || name === '..') return [`may not be '${name}'`];
    const bad = ['/', '%'].filter((character) => name.includes(character));
    return bad.map((character) => `may not contain '${character}'`);
  },
};
const generations: Partial<Strategy> = { tracksGeneration: true };

/** The kinds that have rules of their own, by 'group/plural'. A kind with `cells` is served in full. */
export function builtInStrategies(store: Store): ReadonlyMap<string, Partial<Strategy>> {
  return new Map<string, Partial<Strategy>>([
    ['/namespaces', namespaceStrategy],
    ['/pods', podStrategy],
    ['/services', serviceStrategy(store)],
    ['/configmaps', configMapStrategy],
    ['/secrets', secretStrategy],
    ['/serviceaccounts', serviceAccountStrategy],
    ['/events', coreEventStrategy],
    ['events.k8s.io/events', eventStrategy],
    ['coordination.k8s.io/leases', leaseStrategy],
    ['apps/deployments', deploymentStrategy],
    ['apps/replicasets', replicaSetStrategy],
    ['apiextensions.k8s.io/customresourcedefinitions', customResourceDefinitionStrategy],
    ['rbac.authorization.k8s.io/roles', pathSegment],
    ['rbac.authorization.k8s.io/rolebindings', pathSegment],
    ['rbac.authorization.k8s.io/clusterroles', pathSegment],
    ['rbac.authorization.k8s.io/clusterrolebindings', pathSegment],
    ['/replicationcontrollers', generations],
    ['apps/statefulsets', generations],
    ['apps/daemonsets', generations],
    ['batch/jobs', generations],
    ['batch/cronjobs', generations],
    ['networking.k8s.io/ingresses', generations],
    ['networking.k8s.io/networkpolicies', generations],
    ['policy/poddisruptionbudgets', generations],
    ['flowcontrol.apiserver.k8s.io/flowschemas', generations],
    ['flowcontrol.apiserver.k8s.io/prioritylevelconfigurations', generations],
  ]);
}
