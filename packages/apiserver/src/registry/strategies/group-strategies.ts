import { createRequire } from 'node:module';
import type { Strategy } from '../strategy.js';

const load = createRequire(import.meta.url);

/** The rules of the kinds of all groups but the core group, by 'group/plural', each loaded when it is asked for. */
export const groupStrategies: Readonly<Record<string, () => Partial<Strategy>>> = {
  'admissionregistration.k8s.io/mutatingadmissionpolicies': () =>
    (load('./admission-policy.js') as typeof import('./admission-policy.js')).mutatingAdmissionPolicyStrategy,
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings': () =>
    (load('./admission-policy-binding.js') as typeof import('./admission-policy-binding.js'))
      .mutatingAdmissionPolicyBindingStrategy,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': () =>
    (load('./webhook-configuration.js') as typeof import('./webhook-configuration.js'))
      .mutatingWebhookConfigurationStrategy,
  'admissionregistration.k8s.io/validatingadmissionpolicies': () =>
    (load('./admission-policy.js') as typeof import('./admission-policy.js')).validatingAdmissionPolicyStrategy,
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': () =>
    (load('./admission-policy-binding.js') as typeof import('./admission-policy-binding.js'))
      .validatingAdmissionPolicyBindingStrategy,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': () =>
    (load('./webhook-configuration.js') as typeof import('./webhook-configuration.js'))
      .validatingWebhookConfigurationStrategy,
  'apiextensions.k8s.io/customresourcedefinitions': () =>
    (load('./custom-resource-definition.js') as typeof import('./custom-resource-definition.js'))
      .customResourceDefinitionStrategy,
  'apiregistration.k8s.io/apiservices': () =>
    (load('./api-service.js') as typeof import('./api-service.js')).apiServiceStrategy,
  'apps/controllerrevisions': () =>
    (load('./controller-revision.js') as typeof import('./controller-revision.js')).controllerRevisionStrategy,
  'apps/daemonsets': () => (load('./daemon-set.js') as typeof import('./daemon-set.js')).daemonSetStrategy,
  'apps/deployments': () => (load('./deployment.js') as typeof import('./deployment.js')).deploymentStrategy,
  'apps/replicasets': () => (load('./replica-set.js') as typeof import('./replica-set.js')).replicaSetStrategy,
  'apps/statefulsets': () => (load('./stateful-set.js') as typeof import('./stateful-set.js')).statefulSetStrategy,
  'autoscaling/horizontalpodautoscalers': () =>
    (load('./horizontal-pod-autoscaler.js') as typeof import('./horizontal-pod-autoscaler.js'))
      .horizontalPodAutoscalerStrategy,
  'batch/cronjobs': () => (load('./cron-job.js') as typeof import('./cron-job.js')).cronJobStrategy,
  'batch/jobs': () => (load('./job.js') as typeof import('./job.js')).jobStrategy,
  'certificates.k8s.io/certificatesigningrequests': () =>
    (load('./certificate-signing-request.js') as typeof import('./certificate-signing-request.js'))
      .certificateSigningRequestStrategy,
  'coordination.k8s.io/leases': () => (load('./lease.js') as typeof import('./lease.js')).leaseStrategy,
  'discovery.k8s.io/endpointslices': () =>
    (load('./endpoint-slice.js') as typeof import('./endpoint-slice.js')).endpointSliceStrategy,
  'events.k8s.io/events': () => (load('./event.js') as typeof import('./event.js')).eventStrategy,
  'flowcontrol.apiserver.k8s.io/flowschemas': () =>
    (load('./flow-schema.js') as typeof import('./flow-schema.js')).flowSchemaStrategy,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': () =>
    (load('./priority-level-configuration.js') as typeof import('./priority-level-configuration.js'))
      .priorityLevelConfigurationStrategy,
  'networking.k8s.io/ingressclasses': () =>
    (load('./ingress-class.js') as typeof import('./ingress-class.js')).ingressClassStrategy,
  'networking.k8s.io/ingresses': () => (load('./ingress.js') as typeof import('./ingress.js')).ingressStrategy,
  'networking.k8s.io/ipaddresses': () =>
    (load('./ip-address.js') as typeof import('./ip-address.js')).ipAddressStrategy,
  'networking.k8s.io/networkpolicies': () =>
    (load('./network-policy.js') as typeof import('./network-policy.js')).networkPolicyStrategy,
  'networking.k8s.io/servicecidrs': () =>
    (load('./service-cidr.js') as typeof import('./service-cidr.js')).serviceCidrStrategy,
  'node.k8s.io/runtimeclasses': () =>
    (load('./runtime-class.js') as typeof import('./runtime-class.js')).runtimeClassStrategy,
  'policy/poddisruptionbudgets': () =>
    (load('./pod-disruption-budget.js') as typeof import('./pod-disruption-budget.js')).podDisruptionBudgetStrategy,
  'rbac.authorization.k8s.io/clusterrolebindings': () =>
    (load('./role-binding.js') as typeof import('./role-binding.js')).clusterRoleBindingStrategy,
  'rbac.authorization.k8s.io/clusterroles': () => (load('./role.js') as typeof import('./role.js')).clusterRoleStrategy,
  'rbac.authorization.k8s.io/rolebindings': () =>
    (load('./role-binding.js') as typeof import('./role-binding.js')).roleBindingStrategy,
  'rbac.authorization.k8s.io/roles': () => (load('./role.js') as typeof import('./role.js')).roleStrategy,
  'resource.k8s.io/deviceclasses': () =>
    (load('./resource-claim.js') as typeof import('./resource-claim.js')).deviceClassStrategy,
  'resource.k8s.io/resourceclaims': () =>
    (load('./resource-claim.js') as typeof import('./resource-claim.js')).resourceClaimStrategy,
  'resource.k8s.io/resourceclaimtemplates': () =>
    (load('./resource-claim.js') as typeof import('./resource-claim.js')).resourceClaimTemplateStrategy,
  'resource.k8s.io/resourceslices': () =>
    (load('./resource-slice.js') as typeof import('./resource-slice.js')).resourceSliceStrategy,
  'scheduling.k8s.io/priorityclasses': () =>
    (load('./priority-class.js') as typeof import('./priority-class.js')).priorityClassStrategy,
  'storage.k8s.io/csidrivers': () => (load('./csi-driver.js') as typeof import('./csi-driver.js')).csiDriverStrategy,
  'storage.k8s.io/csinodes': () => (load('./csi-node.js') as typeof import('./csi-node.js')).csiNodeStrategy,
  'storage.k8s.io/csistoragecapacities': () =>
    (load('./csi-storage-capacity.js') as typeof import('./csi-storage-capacity.js')).csiStorageCapacityStrategy,
  'storage.k8s.io/storageclasses': () =>
    (load('./storage-class.js') as typeof import('./storage-class.js')).storageClassStrategy,
  'storage.k8s.io/volumeattachments': () =>
    (load('./volume-attachment.js') as typeof import('./volume-attachment.js')).volumeAttachmentStrategy,
  'storage.k8s.io/volumeattributesclasses': () =>
    (load('./volume-attributes-class.js') as typeof import('./volume-attributes-class.js'))
      .volumeAttributesClassStrategy,
};
