import { hostname } from 'node:os';
import type { KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import type { Logger } from '../log/logger.js';
import { currentFence } from '../transport/request/write-fence.js';
import { maskSecrets } from '../log/mask-secrets.js';
import type { EventPipeline } from './event-pipeline.js';
import { type EventOptions, EventRecorder } from './event-recorder.js';
import { referenceTo } from './object-reference.js';
import type { Occurrence } from './occurrence.js';
import { LONGEST_NOTE, shortened } from './shortened.js';

/** The maximum length of the reason, the action and the reporting instance on the server, in bytes. */
const LONGEST_WORD = 128;

/** The dependencies of a recorder. All recorders of a manager share them, except the reporting component. */
export interface ReportingEventRecorderOptions {
  readonly pipelines: readonly EventPipeline[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** The component that reports the events, such as the name of a controller. */
  readonly reportingController: string;
}

/** Passes events to all pipelines. Masks secrets, and shortens texts to the limits of the server. */
export class ReportingEventRecorder extends EventRecorder {
  readonly #options: ReportingEventRecorderOptions;
  readonly #instance: string;

  constructor(options: ReportingEventRecorderOptions) {
    super();
    this.#options = options;
    this.#instance = shortened(`${options.reportingController}-${hostname()}`, LONGEST_WORD);
  }

  override normal(object: KubeObject, reason: string, message: string, options: EventOptions = {}): void {
    this.#record('Normal', object, { reason, message, ...options });
  }
  override warning(object: KubeObject, reason: string, message: string, options: EventOptions = {}): void {
    this.#record('Warning', object, { reason, message, ...options });
  }

  #record(
    type: Occurrence['type'],
    object: KubeObject,
    what: EventOptions & { readonly reason: string; readonly message: string },
  ): void {
    const { clock, logger, pipelines, reportingController } = this.#options;
    const regarding = referenceTo(object, what.fieldPath);
    if (regarding === undefined || what.reason === '') {
      const missing = regarding === undefined ? 'an object with apiVersion, kind and name' : 'a reason';
      logger.warn(`an event was not recorded: it needs ${missing}`, { reason: what.reason });
      return;
    }
    const occurrence: Occurrence = {
      type,
      reason: shortened(what.reason, LONGEST_WORD),
      action: shortened(what.action || what.reason, LONGEST_WORD),
      note: shortened(maskSecrets(what.message) as string, LONGEST_NOTE),
      regarding,
      related: what.related && referenceTo(what.related),
      annotations: what.annotations && (maskSecrets(what.annotations) as Readonly<Record<string, string>>),
      reportingController,
      reportingInstance: this.#instance,
      at: clock.now(),
      fence: currentFence(),
    };
    for (const pipeline of pipelines) pipeline.record(occurrence);
  }
}
