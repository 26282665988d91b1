import type { Strategy } from '../strategy.js';
import { cronJobStrategy } from './cron-job.js';
import { customResourceDefinitionStrategy } from './custom-resource-definition.js';
import { controllerRevisionStrategy } from './controller-revision.js';
import { daemonSetStrategy } from './daemon-set.js';
import { deploymentStrategy } from './deployment.js';
import { eventStrategy } from './event.js';
import { horizontalPodAutoscalerStrategy } from './horizontal-pod-autoscaler.js';
import { jobStrategy } from './job.js';
import { leaseStrategy } from './lease.js';
import { podDisruptionBudgetStrategy } from './pod-disruption-budget.js';
import { replicaSetStrategy } from './replica-set.js';
import { clusterRoleStrategy, roleStrategy } from './role.js';
import { clusterRoleBindingStrategy, roleBindingStrategy } from './role-binding.js';
import { statefulSetStrategy } from './stateful-set.js';

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
  ['rbac.authorization.k8s.io/roles', roleStrategy],
  ['rbac.authorization.k8s.io/rolebindings', roleBindingStrategy],
  ['rbac.authorization.k8s.io/clusterroles', clusterRoleStrategy],
  ['rbac.authorization.k8s.io/clusterrolebindings', clusterRoleBindingStrategy],
  ['batch/jobs', jobStrategy],
  ['batch/cronjobs', cronJobStrategy],
  ['networking.k8s.io/ingresses', generations],
  ['networking.k8s.io/networkpolicies', generations],
  ['policy/poddisruptionbudgets', podDisruptionBudgetStrategy],
  ['autoscaling/horizontalpodautoscalers', horizontalPodAutoscalerStrategy],
  ['flowcontrol.apiserver.k8s.io/flowschemas', generations],
  ['flowcontrol.apiserver.k8s.io/prioritylevelconfigurations', generations],
];
