import type { KubeObject } from '@kubewright/api';

/** Records Events on objects; equal ones are counted, not repeated. Never throws and never waits. */
export abstract class EventRecorder {
  abstract normal(object: KubeObject, reason: string, message: string): void;
  abstract warning(object: KubeObject, reason: string, message: string): void;
}
