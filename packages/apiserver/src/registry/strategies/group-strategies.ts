import type { Strategy } from '../strategy.js';
import {
  mutatingAdmissionPolicyBindingStrategy,
  validatingAdmissionPolicyBindingStrategy,
} from './admission-policy-binding.js';
import { mutatingAdmissionPolicyStrategy, validatingAdmissionPolicyStrategy } from './admission-policy.js';
import { apiServiceStrategy } from './api-service.js';
import { certificateSigningRequestStrategy } from './certificate-signing-request.js';
import { controllerRevisionStrategy } from './controller-revision.js';
import { cronJobStrategy } from './cron-job.js';
import { csiDriverStrategy } from './csi-driver.js';
import { csiNodeStrategy } from './csi-node.js';
import { csiStorageCapacityStrategy } from './csi-storage-capacity.js';
import { customResourceDefinitionStrategy } from './custom-resource-definition.js';
import { daemonSetStrategy } from './daemon-set.js';
import { deploymentStrategy } from './deployment.js';
import { endpointSliceStrategy } from './endpoint-slice.js';
import { eventStrategy } from './event.js';
import { flowSchemaStrategy } from './flow-schema.js';
import { horizontalPodAutoscalerStrategy } from './horizontal-pod-autoscaler.js';
import { ingressClassStrategy } from './ingress-class.js';
import { ingressStrategy } from './ingress.js';
import { ipAddressStrategy } from './ip-address.js';
import { jobStrategy } from './job.js';
import { leaseStrategy } from './lease.js';
import { networkPolicyStrategy } from './network-policy.js';
import { podDisruptionBudgetStrategy } from './pod-disruption-budget.js';
import { priorityClassStrategy } from './priority-class.js';
import { priorityLevelConfigurationStrategy } from './priority-level-configuration.js';
import { replicaSetStrategy } from './replica-set.js';
import { deviceClassStrategy, resourceClaimStrategy, resourceClaimTemplateStrategy } from './resource-claim.js';
import { resourceSliceStrategy } from './resource-slice.js';
import { clusterRoleBindingStrategy, roleBindingStrategy } from './role-binding.js';
import { clusterRoleStrategy, roleStrategy } from './role.js';
import { runtimeClassStrategy } from './runtime-class.js';
import { serviceCidrStrategy } from './service-cidr.js';
import { statefulSetStrategy } from './stateful-set.js';
import { storageClassStrategy } from './storage-class.js';
import { volumeAttachmentStrategy } from './volume-attachment.js';
import { volumeAttributesClassStrategy } from './volume-attributes-class.js';
import {
  mutatingWebhookConfigurationStrategy,
  validatingWebhookConfigurationStrategy,
} from './webhook-configuration.js';

/** The rules of the kinds of all groups but the core group, by 'group/plural'. */
export const groupStrategies: readonly (readonly [string, Partial<Strategy>])[] = [
  ['admissionregistration.k8s.io/mutatingadmissionpolicies', mutatingAdmissionPolicyStrategy],
  ['admissionregistration.k8s.io/mutatingadmissionpolicybindings', mutatingAdmissionPolicyBindingStrategy],
  ['admissionregistration.k8s.io/mutatingwebhookconfigurations', mutatingWebhookConfigurationStrategy],
  ['admissionregistration.k8s.io/validatingadmissionpolicies', validatingAdmissionPolicyStrategy],
  ['admissionregistration.k8s.io/validatingadmissionpolicybindings', validatingAdmissionPolicyBindingStrategy],
  ['admissionregistration.k8s.io/validatingwebhookconfigurations', validatingWebhookConfigurationStrategy],
  ['apiextensions.k8s.io/customresourcedefinitions', customResourceDefinitionStrategy],
  ['apiregistration.k8s.io/apiservices', apiServiceStrategy],
  ['apps/controllerrevisions', controllerRevisionStrategy],
  ['apps/daemonsets', daemonSetStrategy],
  ['apps/deployments', deploymentStrategy],
  ['apps/replicasets', replicaSetStrategy],
  ['apps/statefulsets', statefulSetStrategy],
  ['autoscaling/horizontalpodautoscalers', horizontalPodAutoscalerStrategy],
  ['batch/cronjobs', cronJobStrategy],
  ['batch/jobs', jobStrategy],
  ['certificates.k8s.io/certificatesigningrequests', certificateSigningRequestStrategy],
  ['coordination.k8s.io/leases', leaseStrategy],
  ['discovery.k8s.io/endpointslices', endpointSliceStrategy],
  ['events.k8s.io/events', eventStrategy],
  ['flowcontrol.apiserver.k8s.io/flowschemas', flowSchemaStrategy],
  ['flowcontrol.apiserver.k8s.io/prioritylevelconfigurations', priorityLevelConfigurationStrategy],
  ['networking.k8s.io/ingressclasses', ingressClassStrategy],
  ['networking.k8s.io/ingresses', ingressStrategy],
  ['networking.k8s.io/ipaddresses', ipAddressStrategy],
  ['networking.k8s.io/networkpolicies', networkPolicyStrategy],
  ['networking.k8s.io/servicecidrs', serviceCidrStrategy],
  ['node.k8s.io/runtimeclasses', runtimeClassStrategy],
  ['policy/poddisruptionbudgets', podDisruptionBudgetStrategy],
  ['rbac.authorization.k8s.io/clusterrolebindings', clusterRoleBindingStrategy],
  ['rbac.authorization.k8s.io/clusterroles', clusterRoleStrategy],
  ['rbac.authorization.k8s.io/rolebindings', roleBindingStrategy],
  ['rbac.authorization.k8s.io/roles', roleStrategy],
  ['resource.k8s.io/deviceclasses', deviceClassStrategy],
  ['resource.k8s.io/resourceclaims', resourceClaimStrategy],
  ['resource.k8s.io/resourceclaimtemplates', resourceClaimTemplateStrategy],
  ['resource.k8s.io/resourceslices', resourceSliceStrategy],
  ['scheduling.k8s.io/priorityclasses', priorityClassStrategy],
  ['storage.k8s.io/csidrivers', csiDriverStrategy],
  ['storage.k8s.io/csinodes', csiNodeStrategy],
  ['storage.k8s.io/csistoragecapacities', csiStorageCapacityStrategy],
  ['storage.k8s.io/storageclasses', storageClassStrategy],
  ['storage.k8s.io/volumeattachments', volumeAttachmentStrategy],
  ['storage.k8s.io/volumeattributesclasses', volumeAttributesClassStrategy],
];
