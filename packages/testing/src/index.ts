export { FakeClock } from './fake-clock.js';
export { type FaultSchedule, faultSchedule, type FaultScheduleOptions } from './fault-schedule.js';
export type { RecordedEvent } from './observed-events.js';
export { reconcileContext } from './reconcile-context.js';
export type { Reconciled } from './reconciled.js';
export { TestEnvironment } from './test-environment.js';
export type { TestEnvironmentOptions } from './test-environment-options.js';
export type { Write } from '@kubewright/runtime/internal';
