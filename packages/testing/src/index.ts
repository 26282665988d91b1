export type {
  ContainerBehaviour,
  ExecHandler,
  ExecResult,
  ExecSession,
  FaultPlan,
  NodeDeclaration,
  Nodes,
  NodeTaint,
  PlannedRequest,
  PlannedWatchEvent,
  PlannedWrite,
  PodBehaviour,
  PodRule,
  PodSelector,
  PortForwardHandler,
  PortForwardSession,
  RequestFault,
  SimulatedPods,
  TerminalSize,
  WatchFault,
  Workloads,
} from '@kubewright/apiserver';
export { ControlPlane, type ControlPlaneOptions } from './control-plane/control-plane.js';
export { ControlPlaneBinaries, controlPlaneCache } from './control-plane/control-plane-binaries.js';
export { kubeconfigOf } from './control-plane/kubeconfig.js';
export { differencesOf, type DifferencesOptions } from './differences-of.js';
export { FakeClock, type FakeClockOptions } from './fake-clock.js';
export { type FaultSchedule, faultSchedule, type FaultScheduleOptions } from './fault-schedule.js';
export type { RecordedEvent } from './observed-events.js';
export { randomNumbers } from './random-numbers.js';
export { reconcileContext } from './reconcile-context.js';
export type { Reconciled } from './reconciled.js';
export type { PermissionsReport } from './permissions/permissions-report.js';
export {
  type TracedChange,
  type TracedReconcile,
  type TracedRequest,
  type TracedWatchFault,
  type TraceEntry,
  traceText,
} from './trace/trace-entry.js';
export { TestEnvironment } from './test-environment.js';
export type { InstalledKinds, TestEnvironmentOptions } from './test-environment-options.js';
export { type ParsedFamily, parseMetrics, type Sample, type Write } from '@kubewright/runtime/internal';
export { FaultProxy, type FaultProxyOptions } from './proxies/fault-proxy.js';
export { type NetworkConditions, NetworkProxy } from './proxies/network-proxy.js';
export { parseWriteName, type WriteName, WriteNames, writeNameText } from './writes/write-name.js';
export { type ConversionReport, testConversion } from './webhooks/test-conversion.js';
export { type DefaulterReport, testDefaulter } from './webhooks/test-defaulter.js';
export type { GeneratedObjectsOptions } from './webhooks/objects-of-schema.js';
export { explore } from './explore/explore.js';
export type { Exploration, ExploreOptions } from './explore/explore-options.js';
export type { ExternalSystem } from './explore/external-system.js';
export type { OperatorUnderTest } from './explore/operator-under-test.js';
export { reportFinding } from './explore/report/report-findings.js';
export { describeFault, type Fault, type FaultKind } from './explore/trials/faults/fault.js';
export type { Finding, Oracle, OracleLevel, OracleLevels } from './explore/search/finding.js';
export type { Invariant } from './explore/search/object-oracles.js';
export type { Dependencies, SearchProgress } from './explore/search/search.js';
