import { createRequire } from 'node:module';
import type { Strategy } from '../definitions/strategy.js';

const load = createRequire(import.meta.url);

/** The strategies of all groups except the core group, by 'group/plural'. Each strategy is loaded on first use. */
export const groupStrategies: Readonly<Record<string, () => Partial<Strategy>>> = {
  'admissionregistration.k8s.io/mutatingadmissionpolicies': () =>
    (
      load(
        './admissionregistration/admission-policy.js',
      ) as typeof import('./admissionregistration/admission-policy.js')
    ).mutatingAdmissionPolicyStrategy,
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings': () =>
    (
      load(
        './admissionregistration/admission-policy-binding.js',
      ) as typeof import('./admissionregistration/admission-policy-binding.js')
    ).mutatingAdmissionPolicyBindingStrategy,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': () =>
    (
      load(
        './admissionregistration/webhook-configuration.js',
      ) as typeof import('./admissionregistration/webhook-configuration.js')
    ).mutatingWebhookConfigurationStrategy,
  'admissionregistration.k8s.io/validatingadmissionpolicies': () =>
    (
      load(
        './admissionregistration/admission-policy.js',
      ) as typeof import('./admissionregistration/admission-policy.js')
    ).validatingAdmissionPolicyStrategy,
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': () =>
    (
      load(
        './admissionregistration/admission-policy-binding.js',
      ) as typeof import('./admissionregistration/admission-policy-binding.js')
    ).validatingAdmissionPolicyBindingStrategy,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': () =>
    (
      load(
        './admissionregistration/webhook-configuration.js',
      ) as typeof import('./admissionregistration/webhook-configuration.js')
    ).validatingWebhookConfigurationStrategy,
  'apiextensions.k8s.io/customresourcedefinitions': () =>
    (
      load(
        './apiextensions/custom-resource-definition.js',
      ) as typeof import('./apiextensions/custom-resource-definition.js')
    ).customResourceDefinitionStrategy,
  'apiregistration.k8s.io/apiservices': () =>
    (load('./apiregistration/api-service.js') as typeof import('./apiregistration/api-service.js')).apiServiceStrategy,
  'apps/controllerrevisions': () =>
    (load('./apps/controller-revision.js') as typeof import('./apps/controller-revision.js'))
      .controllerRevisionStrategy,
  'apps/daemonsets': () => (load('./apps/daemon-set.js') as typeof import('./apps/daemon-set.js')).daemonSetStrategy,
  'apps/deployments': () => (load('./apps/deployment.js') as typeof import('./apps/deployment.js')).deploymentStrategy,
  'apps/replicasets': () =>
    (load('./apps/replica-set.js') as typeof import('./apps/replica-set.js')).replicaSetStrategy,
  'apps/statefulsets': () =>
    (load('./apps/stateful-set.js') as typeof import('./apps/stateful-set.js')).statefulSetStrategy,
  'autoscaling/horizontalpodautoscalers': () =>
    (load('./autoscaling/horizontal-pod-autoscaler.js') as typeof import('./autoscaling/horizontal-pod-autoscaler.js'))
      .horizontalPodAutoscalerStrategy,
  'batch/cronjobs': () => (load('./batch/cron-job.js') as typeof import('./batch/cron-job.js')).cronJobStrategy,
  'batch/jobs': () => (load('./batch/job.js') as typeof import('./batch/job.js')).jobStrategy,
  'certificates.k8s.io/certificatesigningrequests': () =>
    (
      load(
        './certificates/certificate-signing-request.js',
      ) as typeof import('./certificates/certificate-signing-request.js')
    ).certificateSigningRequestStrategy,
  'certificates.k8s.io/clustertrustbundles': () =>
    (load('./certificates/cluster-trust-bundle.js') as typeof import('./certificates/cluster-trust-bundle.js'))
      .clusterTrustBundleStrategy,
  'certificates.k8s.io/podcertificaterequests': () =>
    (load('./certificates/pod-certificate-request.js') as typeof import('./certificates/pod-certificate-request.js'))
      .podCertificateRequestStrategy,
  'coordination.k8s.io/leases': () =>
    (load('./coordination/lease.js') as typeof import('./coordination/lease.js')).leaseStrategy,
  'discovery.k8s.io/endpointslices': () =>
    (load('./discovery/endpoint-slice.js') as typeof import('./discovery/endpoint-slice.js')).endpointSliceStrategy,
  'events.k8s.io/events': () => (load('./core/event.js') as typeof import('./core/event.js')).eventStrategy,
  'flowcontrol.apiserver.k8s.io/flowschemas': () =>
    (load('./flowcontrol/flow-schema.js') as typeof import('./flowcontrol/flow-schema.js')).flowSchemaStrategy,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': () =>
    (
      load(
        './flowcontrol/priority-level-configuration.js',
      ) as typeof import('./flowcontrol/priority-level-configuration.js')
    ).priorityLevelConfigurationStrategy,
  'networking.k8s.io/ingressclasses': () =>
    (load('./networking/ingress-class.js') as typeof import('./networking/ingress-class.js')).ingressClassStrategy,
  'networking.k8s.io/ingresses': () =>
    (load('./networking/ingress.js') as typeof import('./networking/ingress.js')).ingressStrategy,
  'networking.k8s.io/ipaddresses': () =>
    (load('./networking/ip-address.js') as typeof import('./networking/ip-address.js')).ipAddressStrategy,
  'networking.k8s.io/networkpolicies': () =>
    (load('./networking/network-policy.js') as typeof import('./networking/network-policy.js')).networkPolicyStrategy,
  'networking.k8s.io/servicecidrs': () =>
    (load('./networking/service-cidr.js') as typeof import('./networking/service-cidr.js')).serviceCidrStrategy,
  'node.k8s.io/runtimeclasses': () =>
    (load('./node/runtime-class.js') as typeof import('./node/runtime-class.js')).runtimeClassStrategy,
  'policy/poddisruptionbudgets': () =>
    (load('./policy/pod-disruption-budget.js') as typeof import('./policy/pod-disruption-budget.js'))
      .podDisruptionBudgetStrategy,
  'rbac.authorization.k8s.io/clusterrolebindings': () =>
    (load('./rbac/role-binding.js') as typeof import('./rbac/role-binding.js')).clusterRoleBindingStrategy,
  'rbac.authorization.k8s.io/clusterroles': () =>
    (load('./rbac/role.js') as typeof import('./rbac/role.js')).clusterRoleStrategy,
  'rbac.authorization.k8s.io/rolebindings': () =>
    (load('./rbac/role-binding.js') as typeof import('./rbac/role-binding.js')).roleBindingStrategy,
  'rbac.authorization.k8s.io/roles': () => (load('./rbac/role.js') as typeof import('./rbac/role.js')).roleStrategy,
  'resource.k8s.io/deviceclasses': () =>
    (load('./resource/resource-claim.js') as typeof import('./resource/resource-claim.js')).deviceClassStrategy,
  'resource.k8s.io/devicetaintrules': () =>
    (load('./resource/device-taint-rule.js') as typeof import('./resource/device-taint-rule.js'))
      .deviceTaintRuleStrategy,
  'resource.k8s.io/resourceclaims': () =>
    (load('./resource/resource-claim.js') as typeof import('./resource/resource-claim.js')).resourceClaimStrategy,
  'resource.k8s.io/resourceclaimtemplates': () =>
    (load('./resource/resource-claim.js') as typeof import('./resource/resource-claim.js'))
      .resourceClaimTemplateStrategy,
  'resource.k8s.io/resourceslices': () =>
    (load('./resource/resource-slice.js') as typeof import('./resource/resource-slice.js')).resourceSliceStrategy,
  'scheduling.k8s.io/priorityclasses': () =>
    (load('./scheduling/priority-class.js') as typeof import('./scheduling/priority-class.js')).priorityClassStrategy,
  'storage.k8s.io/csidrivers': () =>
    (load('./storage/csi-driver.js') as typeof import('./storage/csi-driver.js')).csiDriverStrategy,
  'storage.k8s.io/csinodes': () =>
    (load('./storage/csi-node.js') as typeof import('./storage/csi-node.js')).csiNodeStrategy,
  'storage.k8s.io/csistoragecapacities': () =>
    (load('./storage/csi-storage-capacity.js') as typeof import('./storage/csi-storage-capacity.js'))
      .csiStorageCapacityStrategy,
  'storage.k8s.io/storageclasses': () =>
    (load('./storage/storage-class.js') as typeof import('./storage/storage-class.js')).storageClassStrategy,
  'storage.k8s.io/volumeattachments': () =>
    (load('./storage/volume-attachment.js') as typeof import('./storage/volume-attachment.js'))
      .volumeAttachmentStrategy,
  'storage.k8s.io/volumeattributesclasses': () =>
    (load('./storage/volume-attributes-class.js') as typeof import('./storage/volume-attributes-class.js'))
      .volumeAttributesClassStrategy,
  'storagemigration.k8s.io/storageversionmigrations': () =>
    (
      load(
        './storagemigration/storage-version-migration.js',
      ) as typeof import('./storagemigration/storage-version-migration.js')
    ).storageVersionMigrationStrategy,
};
