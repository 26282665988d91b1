// Exports for @kubewright/cli and the tests of this project. They may change in any version; programs import '@kubewright/testing'.
export type { ControlPlaneLoan } from './connected-server.js';
export { ReservedPorts } from './control-plane/reserved-ports.js';
export { startEnvironmentOnLoan } from './test-environment.js';
export { RegisteredWebhooks, type RegisteredWebhooksUsing } from './webhooks/registered-webhooks.js';
export { exploreKinds, type ExploreKindsOptions } from './explore/explore-kinds.js';
export { findingOf, savedFinding, type SavedFinding } from './explore/histories/saved-finding.js';
export { replayedFinding } from './explore/histories/replayed-finding.js';
export { reportFinding } from './explore/report/report-findings.js';
export { type KindClass, testFileOf, type TestSources } from './explore/report/test-file.js';
export type { ImportedName } from './explore/report/test-imports.js';
export type { Finding } from './explore/search/finding.js';
export { ForkedTrials } from './explore/trials/forked-trials.js';
export { FAULT_KINDS } from './explore/trials/faults/fault.js';
export { type RunTrial, runTrial, type Trial, type TrialResult } from './explore/trials/run-trial.js';
export type { Step } from './explore/trials/step.js';
export { traceText } from './trace/trace-entry.js';
