import type { KubeObject } from '@kubewright/api';

/** What may be said of an event besides its reason and message. */
export interface EventOptions {
  /** What was being done, in one word such as 'Scaling'. @default the reason */
  readonly action?: string;
  /** Another object that takes part, such as the one that was made. @default none */
  readonly related?: KubeObject;
  /** A part of the object, such as 'spec.containers{web}'. @default none */
  readonly fieldPath?: string;
  /** Annotations of the Event itself; what looks like a secret is masked. @default none */
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * Records Events on objects. Equal ones are counted, not repeated; many similar ones become one, and an object that causes too many
 * is silenced for a while. Never throws and never waits.
 *
 * @example
 * this.events.warning(vm, 'ImageMissing', `there is no image ${vm.spec.image}`, { action: 'Creating' });
 */
export abstract class EventRecorder {
  /** Something happened as it should. */
  abstract normal(object: KubeObject, reason: string, message: string, options?: EventOptions): void;
  /** Something is wrong that a person may have to see to. */
  abstract warning(object: KubeObject, reason: string, message: string, options?: EventOptions): void;
}
