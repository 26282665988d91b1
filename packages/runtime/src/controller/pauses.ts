import { type Condition, type ConditionInit, findCondition, type KubeObject, setCondition } from '@kubewright/api';
import { isConflict, isNotFound } from '@kubewright/api/errors';
import type { EventRecorder } from '../events/event-recorder.js';
import type { Logger } from '../log/logger.js';
import type { ConditionWriter } from './controller-dependencies.js';
import { type Pause, PAUSED_ANNOTATION } from './pause.js';
import { logFailure } from '../transport/server-outage.js';

const REASON = 'PausedByAnnotation';
const CONDITION = 'Paused';

/** What pauses are told with. */
export interface PausesOptions {
  /** Whether the status of the kind has conditions, and they are ours to write. */
  readonly conditions: boolean;
  readonly writer: ConditionWriter;
  readonly events: EventRecorder;
}

/** The objects that are paused at present. Each pause is told once: in the log, by a condition, and by a Warning event where its value is bad. */
export class Pauses {
  readonly #options: PausesOptions;
  readonly #told = new Map<string, string>();

  constructor(options: PausesOptions) {
    this.#options = options;
  }

  /** How many there are. */
  get size(): number {
    return this.#told.size;
  }
  /** The object is gone. */
  forget(id: string): void {
    this.#told.delete(id);
  }

  /** Tells that the object is left alone, unless that was told. Rejects with a conflict when somebody else wrote meanwhile. */
  async begin(id: string, { object, pause, log }: PausedRun): Promise<void> {
    if (this.#told.get(id) === pause.value) return;
    const until = pause.value === 'true' ? 'until the annotation goes' : `until ${pause.value}`;
    const message = pause.problem ?? `left alone ${until}, as the annotation ${PAUSED_ANNOTATION} asks`;
    await this.#write({ object, log }, { status: true, reason: REASON, message });
    this.#told.set(id, pause.value);
    if (pause.problem === undefined) log.info(`paused: ${message}`);
    else {
      log.warn(`paused: ${message}`);
      this.#options.events.warning(object, 'InvalidPause', message);
    }
  }

  /** Tells that the pause is over, if there was one, and resolves with the object as it is then. Rejects as `begin` does. */
  async end(id: string, { object, log }: { readonly object: KubeObject; readonly log: Logger }): Promise<KubeObject> {
    if (this.#told.delete(id)) log.info('resumed: the pause is over');
    const told = findCondition(object as Parameters<typeof findCondition>[0], CONDITION);
    if (told?.status !== 'True' || told.reason !== REASON) return object;
    return this.#write({ object, log }, { status: false, reason: 'Resumed' });
  }

  /** A right that is not there does not undo a pause; it is told. */
  async #write(
    { object, log }: { readonly object: KubeObject; readonly log: Logger },
    condition: Omit<ConditionInit, 'type'>,
  ): Promise<KubeObject> {
    if (!this.#options.conditions) return object;
    const set = (status: { conditions?: Condition[] | undefined }): void =>
      setCondition(status, { type: CONDITION, ...condition });
    try {
      return await this.#options.writer.patchStatus(object, set, { observed: false });
    } catch (error) {
      if (isConflict(error)) throw error;
      const message = `could not write the condition ${CONDITION}`;
      if (!isNotFound(error)) logFailure(log, error, { level: 'warn', message, fields: { error } });
      return object;
    }
  }
}

/** A run that found its object paused. */
export interface PausedRun {
  readonly object: KubeObject;
  readonly pause: Pause;
  readonly log: Logger;
}
