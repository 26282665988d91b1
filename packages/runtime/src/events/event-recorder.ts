import type { KubeObject } from '@kubewright/api';

/** The options of an event. */
export interface EventOptions {
  /** The action that was performed, one word such as 'Scaling'. @default the reason */
  readonly action?: string;
  /** A related object, such as the created object. @default none */
  readonly related?: KubeObject;
  /** A field of the object, such as 'spec.containers{web}'. @default none */
  readonly fieldPath?: string;
  /** Annotations of the Event. Values that look like secrets are masked. @default none */
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * Records Events on objects. Counts equal events, combines many similar events, and temporarily suppresses the events of an object that
 * causes too many. Never throws and never waits.
 *
 * @example
 * this.events.warning(vm, 'ImageMissing', `there is no image ${vm.spec.image}`, { action: 'Creating' });
 */
export abstract class EventRecorder {
  /** Records an event of type Normal, for an expected occurrence. */
  abstract normal(object: KubeObject, reason: string, message: string, options?: EventOptions): void;
  /** Records an event of type Warning, for a problem that may need user action. */
  abstract warning(object: KubeObject, reason: string, message: string, options?: EventOptions): void;
}
