import type { Strategy } from '../strategy.js';
import { endpointSliceStrategy } from './endpoint-slice.js';
import { runtimeClassStrategy } from './runtime-class.js';
import { priorityClassStrategy } from './priority-class.js';
import { volumeAttachmentStrategy } from './volume-attachment.js';
import { csiStorageCapacityStrategy } from './csi-storage-capacity.js';
import { csiNodeStrategy } from './csi-node.js';
import { csiDriverStrategy } from './csi-driver.js';
import { volumeAttributesClassStrategy } from './volume-attributes-class.js';
import { storageClassStrategy } from './storage-class.js';
import { serviceCidrStrategy } from './service-cidr.js';
import { ipAddressStrategy } from './ip-address.js';
import { networkPolicyStrategy } from './network-policy.js';
import { ingressClassStrategy } from './ingress-class.js';
import { ingressStrategy } from './ingress.js';
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
  ['policy/poddisruptionbudgets', podDisruptionBudgetStrategy],
  ['autoscaling/horizontalpodautoscalers', horizontalPodAutoscalerStrategy],
  ['flowcontrol.apiserver.k8s.io/flowschemas', generations],
  ['flowcontrol.apiserver.k8s.io/prioritylevelconfigurations', generations],
  ['networking.k8s.io/ingresses', ingressStrategy],
  ['networking.k8s.io/ingressclasses', ingressClassStrategy],
  ['networking.k8s.io/networkpolicies', networkPolicyStrategy],
  ['networking.k8s.io/ipaddresses', ipAddressStrategy],
  ['networking.k8s.io/servicecidrs', serviceCidrStrategy],
  ['storage.k8s.io/storageclasses', storageClassStrategy],
  ['storage.k8s.io/volumeattributesclasses', volumeAttributesClassStrategy],
  ['storage.k8s.io/csidrivers', csiDriverStrategy],
  ['storage.k8s.io/csinodes', csiNodeStrategy],
  ['storage.k8s.io/csistoragecapacities', csiStorageCapacityStrategy],
  ['storage.k8s.io/volumeattachments', volumeAttachmentStrategy],
  ['scheduling.k8s.io/priorityclasses', priorityClassStrategy],
  ['node.k8s.io/runtimeclasses', runtimeClassStrategy],
  ['discovery.k8s.io/endpointslices', endpointSliceStrategy],
];
