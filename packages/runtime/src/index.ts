export type { Duration } from '@kubewright/api/clock';
export { Clock } from '@kubewright/api/clock';
export {
  ApiError,
  DeniedError,
  ignoreAlreadyExists,
  ignoreNotFound,
  isAborted,
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotFound,
  isNotOwned,
  isStaleChild,
  isTooManyRequests,
  KubewrightError,
  TerminalError,
} from '@kubewright/api/errors';
export { Cache } from './cache/cache.js';
export type { ChangesOptions, Informer, InformerOptions, InformerStatistics } from './cache/informer/informer.js';
export type { WaitOptions } from './waiting/bounded-wait.js';
export {
  type CachedKind,
  type CachedNamespaces,
  type CacheOptions,
  type CacheSettings,
  cacheOf,
  type KindCacheOptions,
} from './cache/selection/cache-options.js';
export type { Change } from './cache/store/change.js';
export { type Index, type IndexMatch, index } from './cache/store/index-declaration.js';
export type { LabelsMatch, ListOptions } from './cache/store/list-options.js';
export type { Transform } from './cache/store/transform.js';
export type { ReadOptions } from './cache/store/read-options.js';
export { retryOnConflict, type RetryOnConflictOptions } from './client/retry-on-conflict.js';
export { Client } from './client/client.js';
export type {
  ClientNodeModel,
  FromModel,
  FromModels,
  OnlyModel,
  OnlyModels,
} from './client/client-node/client-node-model.js';
export { type Access, AccessRecord } from './rbac/access-record.js';
export type { ClientCall, ClientVerb, Interceptor } from './client/options/client-call.js';
export type {
  Applied,
  ApplyOptions,
  ApplyOwnedOptions,
  CreateOptions,
  CreateOrPatchOptions,
  DeleteAllOptions,
  DeleteOptions,
  PatchOptions,
  PatchStatusOptions,
  WriteOptions,
} from './client/options/client-options.js';
export type { ClientSettings } from './client/options/client-settings.js';
export type { LiveReader, Page, PageOptions, WatchEvent, WatchOptions } from './client/reads/live-reader.js';
export type { FieldChange } from './client/plan/field-change.js';
export type { PlannedEvent, PlannedObject, PlannedWrite } from './client/plan/planned-write.js';
export type { MergePatch, Patch } from './client/bodies/patch.js';
export type { CreatedOrPatched } from './client/writes/created-or-patched.js';
export { currentLogger } from './client/scope/current-logger.js';
export type { Reader } from './client/reads/reader.js';
export type {
  Subresource,
  SubresourceApplyOptions,
  SubresourceInit,
  SubresourceName,
  SubresourceOf,
} from './client/writes/subresource.js';
export { Channel, type ChannelOptions } from './controller/sources/channel.js';
export { Controller, KeyController } from './controller/options/controller-decorator.js';
export type { ControllerOptions } from './controller/options/controller-options.js';
export type { ControllerStats } from './controller/runs/controller-stats.js';
export type { KeyControllerOptions, KeyReconciler } from './controller/options/key-controller.js';
export { type KindSourceOptions, kindSource, type SourceMapper } from './controller/sources/kind-source.js';
export { type FinalizerHandler, Finalizers, type FinalizerStep } from './controller/reconciler/finalizers.js';
export { ownerKeys } from './controller/watches/owner-keys.js';
export {
  all,
  annotationsChanged,
  any,
  byChange,
  changed,
  desiredStateChanged,
  labelsChanged,
  matching,
  matchingLabels,
  not,
  type Predicate,
} from './controller/watches/predicates.js';
export {
  type KindRule,
  Rbac,
  type RbacRule,
  type ResourceRule,
  type UrlRule,
  type Verb,
} from './rbac/rbac-decorator.js';
export type { ChildVerb } from './rbac/child-verb.js';
export { PAUSED_ANNOTATION } from './controller/reconciler/pause.js';
export type { FailureContext, Reconciler } from './controller/reconciler/reconciler.js';
export type { ReconcileContext } from './controller/reconciler/reconcile-context.js';
export { type AgainOptions, type DelayOptions, Result } from './controller/reconciler/result.js';
export type { ReconcileKey } from './controller/watches/reconcile-key.js';
export type { EnqueueOptions, Source, SourceTarget } from './controller/sources/source.js';
export { type SourceFunction, type SourceOptions, sourceOf } from './controller/sources/source-of.js';
export {
  type DeclaredWatchOptions,
  type MapContext,
  type MappedWatchOptions,
  type Mapper,
  type MappersByChange,
  owned,
  references,
  type OptionalKind,
  type WatchDeclaration,
  watch,
} from './controller/watches/watch-declaration.js';
export { LeaderElection, type LeaderElectionStats, type LeaderElectionUsing } from './election/leader-election.js';
export {
  type LeaderElectionOptions,
  type ResolvedLeaderElection,
  resolveLeaderElection,
} from './election/leader-election-options.js';
export type { CoordinatedElectionOptions } from './election/coordinated-election.js';
export type { LeaseLock } from './election/lease-lock.js';
export type { LeaseRecord } from './election/lease-record.js';
export { podNamespace } from './election/pod-namespace.js';
export { ServedLeaseLock, type ElectionTransport, type ServedLeaseOptions } from './election/served-lease-lock.js';
export { type EventOptions, EventRecorder } from './events/event-recorder.js';
export type { EventSink, ReportedEvent } from './events/event-sink.js';
export type { EventStats } from './events/event-stats.js';
export type { ObjectReference } from './events/object-reference.js';
export type { RecordedEventsOptions } from './events/recorded-events.js';
export type { LogLevel, LogOptions } from './log/log-options.js';
export { type ClientNodeObject, fromClientNode } from './client/client-node/from-client-node.js';
export type { ModelClass, ModelField } from './client/client-node/model-fields.js';
export { toClientNode } from './client/client-node/to-client-node.js';
export { ClusterConnection } from './manager/cluster/cluster-connection.js';
export { Logger } from './log/logger.js';
export { type LoggerOf, withLevelsOf } from './log/with-levels-of.js';
export type { GivenLogger } from './log/logger-of.js';
export type { PinoInstance } from './log/pino-instance.js';
export type { AmbientFields, LineFields } from './log/line-fields.js';
export { PinoLogger, type PinoLoggerOptions } from './log/pino-logger.js';
export { type Cluster, connect } from './manager/cluster/cluster.js';
export type { ClusterOptions } from './manager/cluster/cluster-options.js';
export { Inject, Injectable } from './manager/injection/injection.js';
export type { ControllerHandle, ControllerState } from './manager/controllers/managed-controller.js';
export type { ControllerDefaults } from './manager/controllers/controller-defaults.js';
export type {
  ControllerDescription,
  DescribedChildren,
  DescribedElection,
  DescribedHealth,
  DescribedKind,
  DescribedMetrics,
  OperatorDescription,
} from './rbac/operator-description.js';
export type { DescribedPolicy, DescribedPolicyBinding } from './rbac/described-policies.js';
export type {
  DescribedAdmissionWebhook,
  DescribedCertificates,
  DescribedConversion,
  DescribedWebhooks,
  MatchCondition,
} from './rbac/described-webhooks.js';
export { Manager } from './manager/manager.js';
export type { ManagerHealth } from './manager/endpoints/manager-health.js';
export type { InformerStatus, ManagerStatus, QueueStatus, Readiness } from './manager/lifecycle/manager-status.js';
export type { ManagerState } from './manager/lifecycle/lifecycle.js';
export type { ProfilingServerOptions } from './manager/endpoints/profiling-server.js';
export type { Hook, HookContext, HookManager } from './manager/hooks/hook.js';
export type { HookName, ManagerHooks } from './manager/hooks/manager-hooks.js';
export { LEADERSHIP_LOST_EXIT_CODE } from './manager/lifecycle/owned-process.js';
export type { EffectiveSetting } from './manager/settings/effective-settings.js';
export type { SettingSources } from './manager/settings/given-settings.js';
export type { LogLevelSignal, ManagerOptions } from './manager/settings/manager-options.js';
export type {
  AdmissionHandlers,
  DefaulterHandlers,
  ValidatorHandlers,
  WebhookComponent,
} from './manager/components/added-webhook.js';
export type { PolicyComponent } from './manager/components/added-policy.js';
export type { Component } from './manager/components/component.js';
export type { WebhooksOptions } from './manager/webhooks/webhooks-options.js';
export type { CertificateOptions } from './certificates/managed-certificates-options.js';
export type { AroundWebhook } from './webhook/admission-endpoint.js';
export { type WebhookEndpoint, WebhookServer, type WebhookServerOptions } from './webhook/webhook-server.js';
export type { Plan, PlannedOutcome, PlanRequest } from './manager/plan/plan.js';
export type { Runnable } from './manager/components/runnable.js';
export type { Constructor, Provider, ServiceKey } from './manager/injection/service-container.js';
export { type Token, token } from './manager/injection/token.js';
export type { ClientMetricName } from './metrics/client-metrics.js';
export { Metrics } from './metrics/metrics.js';
export type { MetricsOptions } from './metrics/metrics-options.js';
export type { MetricsRegistry } from './metrics/other-registries.js';
export type { Cause, CauseKind } from './queue/cause.js';
export { atMost, type DelayRule, exponential, fastThenSlow, longestOf } from './queue/delay-rule.js';
export type { QueueStats } from './queue/queue-stats.js';
export { type QueueAddOptions, type QueueItem, WorkQueue, type WorkQueueOptions } from './queue/work-queue.js';
export { forEachInParallel, type ParallelOptions } from './queue/parallel.js';
export type { CertificateFiles } from './serving/certificate-watcher.js';
export type { HealthCheck } from './serving/health-check.js';
export { HealthServer, type HealthServerOptions } from './serving/health-server.js';
export type { RequestHandler } from './serving/http-endpoint.js';
export { MetricsServer, type MetricsServerOptions } from './serving/metrics-server.js';
export { InMemoryCertificates } from './serving/in-memory-certificates.js';
export type { KeyPair } from './serving/key-pair.js';
export type { ServingCertificates } from './serving/serving-certificates.js';
export type { ListenOptions, ServedEndpoint } from './serving/served-endpoint.js';
export type { Connection, Impersonation } from './transport/connection/connection.js';
export { Discovery, type KindQuery, type Served } from './transport/discovery/discovery.js';
export type { ClientCertificate, Credential, CredentialSource } from './transport/connection/credential-source.js';
export type { ExecPolicy } from './transport/credentials/exec-policy.js';
export { RequestLog, type RequestLogOptions } from './transport/observation/request-log.js';
export { RequestLimit, type RequestLimitOptions } from './transport/request/request-limit.js';
export type { CommonRequestOptions, Query, RequestOptions } from './transport/request/request-options.js';
export type { ResourceInfo } from './transport/request/resource-path.js';
export type { ServedGroup, ServedResource, ServedVersion } from './transport/discovery/served-group.js';
export type {
  CaReload,
  ObservedAttempt,
  ObservedEnd,
  ObservedRequest,
  PluginRun,
  RequestProgress,
  TransportObserver,
} from './transport/request/transport-observer.js';
export type { WarningContext, WarningHandler } from './transport/request/warnings.js';
