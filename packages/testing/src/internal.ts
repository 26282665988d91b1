// Exports for tests of this project. They may change in any version; programs import '@kubewright/testing'.
export type { ControlPlaneLoan } from './connected-server.js';
export { ReservedPorts } from './control-plane/reserved-ports.js';
export { startEnvironmentOnLoan } from './test-environment.js';
export { RegisteredWebhooks, type RegisteredWebhooksUsing } from './webhooks/registered-webhooks.js';
