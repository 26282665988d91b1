// What @kubewright/testing and tools of this project build on. It may change in any version; programs use '@kubewright/runtime'.
export { InformerCache } from './cache/informer-cache.js';
export { SERVER_METADATA } from './client/applied-configuration.js';
export { CachedClient } from './client/cached-client.js';
export type { CachedClientOptions } from './client/client-backend.js';
export { OWNER_LABEL } from './client/owner-label.js';
export { runInScope } from './client/reconcile-scope.js';
export type { Write } from './client/write.js';
export { controllerOptionsOf } from './controller/controller-decorator.js';
export { finalizerSteps, runFinalizers } from './controller/finalizers/finalizer-steps.js';
export { ownedKinds, resolveControllerOptions } from './controller/resolved-options.js';
export { EventRecorders } from './manager/cluster/event-recorders.js';
export { controllerSettings } from './manager/settings/controller-settings.js';
export { MANAGER_SETTINGS } from './manager/settings/manager-settings.js';
export type { Setting } from './manager/settings/setting.js';
export { type ParsedFamily, parseMetrics, type Sample } from './metrics/parse-metrics.js';
export { METRICS } from './metrics/definitions.js';
export { loadConnection } from './transport/load-connection.js';
export { Transport } from './transport/transport.js';
