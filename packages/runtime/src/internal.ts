// What @kubewright/testing and tools of this project build on. It may change in any version; programs use '@kubewright/runtime'.
export { InformerCache, type InformerCacheOptions } from './cache/informer-cache.js';
export type { SharedInformer } from './cache/shared-informer.js';
export { CachedClient } from './client/cached-client.js';
export type { CachedClientOptions, ClientBackend, DeclaredKind } from './client/client-backend.js';
export { OWNER_LABEL, SET_ANNOTATION } from './client/owner-label.js';
export { currentScope, type ReconcileScope, runInScope } from './client/reconcile-scope.js';
export type { Write } from './client/write.js';
export { controllerOptionsOf } from './controller/controller-decorator.js';
export { ownedKinds, type ResolvedControllerOptions, resolveControllerOptions } from './controller/resolved-options.js';
export type { Part } from './manager/part.js';
export type { Constructor } from './manager/service-container.js';
export { EventRecorders } from './manager/event-recorders.js';
export { BackendCache, ClusterBackend } from './manager/cluster-backend.js';
export type { Connection } from './transport/connection.js';
export { Discovery } from './transport/discovery.js';
export { loadConnection } from './transport/load-connection.js';
export { Transport } from './transport/transport.js';
