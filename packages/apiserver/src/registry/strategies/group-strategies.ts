import type { Strategy } from '../strategy.js';
import { customResourceDefinitionStrategy } from './custom-resource-definition.js';
import { controllerRevisionStrategy } from './controller-revision.js';
import { daemonSetStrategy } from './daemon-set.js';
import { deploymentStrategy } from './deployment.js';
import { eventStrategy } from './event.js';
import { horizontalPodAutoscalerStrategy } from './horizontal-pod-autoscaler.js';
import { leaseStrategy } from './lease.js';
import { podDisruptionBudgetStrategy } from './pod-disruption-budget.js';
import { replicaSetStrategy } from './replica-set.js';
import { statefulSetStrategy } from './stateful-set.js';

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

/** The rules of the kinds of all groups but the core group, by 'group/plural'. */
export const groupStrategies: readonly (readonly [string, Partial<Strategy>])[] = [
  ['events.k8s.io/events', eventStrategy],
  ['coordination.k8s.io/leases', leaseStrategy],
  ['apps/deployments', deploymentStrategy],
  ['apps/replicasets', replicaSetStrategy],
  ['apps/statefulsets', statefulSetStrategy],
  ['apps/daemonsets', daemonSetStrategy],
  ['apps/controllerrevisions', controllerRevisionStrategy],
  ['apiextensions.k8s.io/customresourcedefinitions', customResourceDefinitionStrategy],
  ['rbac.authorization.k8s.io/roles', pathSegment],
  ['rbac.authorization.k8s.io/rolebindings', pathSegment],
  ['rbac.authorization.k8s.io/clusterroles', pathSegment],
  ['rbac.authorization.k8s.io/clusterrolebindings', pathSegment],
  ['batch/jobs', generations],
  ['batch/cronjobs', generations],
  ['networking.k8s.io/ingresses', generations],
  ['networking.k8s.io/networkpolicies', generations],
  ['policy/poddisruptionbudgets', podDisruptionBudgetStrategy],
  ['autoscaling/horizontalpodautoscalers', horizontalPodAutoscalerStrategy],
  ['flowcontrol.apiserver.k8s.io/flowschemas', generations],
  ['flowcontrol.apiserver.k8s.io/prioritylevelconfigurations', generations],
];
