export { type WorkloadName, workloadNames, type Workloads } from './controllers/workload-names.js';
export type { ContainerBehaviour, PodBehaviour, PodRule, PodSelector } from './controllers/simulation/pod-behaviour.js';
export type { NodeDeclaration, Nodes, NodeTaint } from './controllers/simulation/node-declaration.js';
export type {
  ExecHandler,
  ExecResult,
  ExecSession,
  PortForwardHandler,
  PortForwardSession,
  TerminalSize,
} from './controllers/simulation/pod-sessions.js';
export type { SimulatedPods } from './controllers/simulation/simulated-pods.js';
export type {
  FaultPlan,
  PlannedRequest,
  PlannedWatchEvent,
  RequestFault,
  WatchFault,
} from './handlers/faults/fault-plan.js';
export type { PlannedWrite } from './handlers/faults/planned-write.js';
export { Registry } from './registry/registry.js';
export { ApiServer } from './server/api-server.js';
export type { ApiServerOptions } from './server/api-server-options.js';
export type { InProcessCall, InProcessRequest, InProcessResponse } from './server/in-process-request.js';
export type { ServingCertificate } from './server/certificates/certificates.js';
export type { ClientCertificate, ClientCertificateSubject } from './server/certificates/client-authority.js';
export type { KubeconfigCredentials } from './server/kubeconfig.js';
export { newServerKeys, type ServerKeys } from './server/certificates/server-keys.js';
export type { User } from './registry/requests/user.js';
export { Store } from './storage/store.js';
export type { ApiObject } from './storage/api-object.js';
