import type { KubeObject } from '@kubewright/api';

/** The options of an event. */
export interface EventOptions {
  /** The action that was performed, in one word, such as 'Scaling'. @default the reason */
  readonly action?: string;
  /** Another object that is related to the event, such as a created object. @default none */
  readonly related?: KubeObject;
  /** The field of the object to which the event refers, such as 'spec.containers{web}'. @default none */
  readonly fieldPath?: string;
  /** The annotations of the Event. Values that look like secrets are masked. @default none */
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * Reports Kubernetes Events about objects. Equal events are counted, and many similar events are combined. If an object has too many
 * events, its further events are temporarily suppressed. The methods never throw and do not wait for requests.
 *
 * @example
 * this.events.warning(vm, 'ImageMissing', `there is no image ${vm.spec.image}`, { action: 'Creating' });
 */
export abstract class EventRecorder {
  /** Reports an event of type Normal, for something that is expected. */
  abstract normal(object: KubeObject, reason: string, message: string, options?: EventOptions): void;
  /** Reports an event of type Warning, for a problem that may require action by a user. */
  abstract warning(object: KubeObject, reason: string, message: string, options?: EventOptions): void;
}
