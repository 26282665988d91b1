// The exports for @kubewright/testing and for the tools of this project. The exports can change in any version. Programs must import
// '@kubewright/apiserver' instead.
export { readOptionFiles } from './command/option-files.js';
export { ClockWaits } from './handlers/clock-waits.js';
export { EventEncoder } from './handlers/watch/event-encoder.js';
export { changedFields } from './handlers/faults/planned-write.js';
export type { StoreEvent } from './storage/event-log.js';
export { FaultGate, plannedFailure } from './handlers/faults/fault-gate.js';
export { InvalidYamlError } from './handlers/yaml/invalid-yaml-error.js';
export { parseYaml } from './handlers/yaml/parse-yaml.js';
export { requestPermission } from './handlers/access/request-permission.js';
export { type RequestInfo, requestInfo } from './handlers/request-info.js';
export { WatchFeed, type WatchEventType } from './handlers/watch/watch-feed.js';
export { servingCertificate } from './server/certificates/certificates.js';
export { requestTarget } from './server/request-target.js';
export { ResponseStream } from './server/http-exchange.js';
export { expired } from './storage/storage-error.js';
