// Entry point for @kubewright/testing and the tools of this project. These exports can change in any version. Programs import
// '@kubewright/runtime' instead.
export { ManagedCertificates } from './certificates/managed-certificates.js';
export type { ManagedCertificatesOptions } from './certificates/managed-certificates-options.js';
export {
  caBundleOf,
  type CertificateState,
  parseState,
  type ParsedState,
  SECRET_KEYS,
} from './certificates/certificate-state.js';
export { CERTIFICATES_ANNOTATION } from './certificates/certificate-secret.js';
export { type BundleField, bundleFields, type ServiceKey } from './certificates/injection-target.js';
export { createAuthority, issueServing } from './certificates/issue-certificates.js';
export { loadX509 } from './certificates/load-x509.js';
export { pemCertificates } from './certificates/pem-certificates.js';
export { dueMs, isIssuedBy, isValidAt } from './certificates/rotation-plan.js';
export { InformerCache } from './cache/informer-cache.js';
export { SERVER_METADATA } from './client/bodies/applied-configuration.js';
export { AsyncVariable } from './context/async-variable.js';
export { describeCause } from './queue/causes.js';
export { CachedClient } from './client/cached-client.js';
export type { CachedClientOptions } from './client/requests/client-backend.js';
export { fieldChanges } from './client/plan/field-changes.js';
export { Planning, startPlanning } from './client/plan/planning.js';
export { OWNER_LABEL } from './client/owners/owner-label.js';
export { currentScope, runInScope } from './client/scope/reconcile-scope.js';
export {
  isInternalError,
  type ServedDefinition,
  servedKinds,
  untilListed,
  untilNotServed,
} from './client/until-listed.js';
export type { Write } from './client/scope/write.js';
export { checkedResult } from './controller/reconciler/checked-result.js';
export { controllerOptionsOf } from './controller/options/controller-decorator.js';
export { finalizerSteps, runFinalizers } from './controller/finalizers/finalizer-steps.js';
export {
  type ConversionOfDefinition,
  webhookConfigurations,
  type WebhookConfigurationNames,
  type WebhookConfigurations,
} from './rbac/webhook-configurations.js';
export { namespaceRequirement, withRequirement } from './rbac/namespace-selector.js';
export { policyObjects, type PolicyObjectsOptions } from './rbac/policy-objects.js';
export { policySchemas } from './rbac/policy-schemas.js';
export { isEscalation, isUnauthorized, rbacText } from './rbac/rbac-text.js';
export { optionalKinds, ownedKinds, resolveControllerOptions } from './controller/options/resolved-options.js';
export { SilentLogger } from './log/silent-logger.js';
export { REPORT } from './manager/manager-report.js';
export type { Added } from './manager/components/component.js';
export type { ObservedRun } from './controller/runs/observed-run.js';
export type { WatchedScope } from './cache/informer/scopes/watched-scope.js';
export { INSPECTION, type StartOptions } from './manager/inspection.js';
export { ServerTime } from './certificates/server-time.js';
export { HttpEndpoint } from './serving/http-endpoint.js';
export { selfSignedCertificate } from './serving/self-signed-certificate.js';
export { EventRecorders } from './manager/cluster/event-recorders.js';
export { controllerSettings } from './manager/settings/controller-settings.js';
export { COMMAND_VARIABLES } from './manager/settings/given-settings.js';
export { MANAGER_SETTINGS } from './manager/settings/manager-settings.js';
export type { Setting } from './manager/settings/setting.js';
export { type ParsedFamily, parseMetrics, type Sample } from './metrics/parse-metrics.js';
export { METRICS } from './metrics/definitions.js';
export { inProcessConnection } from './transport/connection/in-process-server.js';
export { isKubeconfigText } from './transport/kubeconfig/kubeconfig-source.js';
export { loadConnection } from './transport/kubeconfig/load-connection.js';
export { isProtobufType, ProtobufKind } from './transport/answer/protobuf-kind.js';
export { Transport } from './transport/sending/transport.js';
export { resourcePath } from './transport/request/resource-path.js';
export { mutate } from './webhook/admission-call.js';
export { CONVERSION_ANNOTATION, readKept } from './webhook/conversion/conversion-annotation.js';
export { convertObject } from './webhook/conversion/convert-object.js';
export { answerProbe, PROBE_PATH, type ProbeResult, probeWebhook, sendProbe } from './webhook/webhook-probe.js';
