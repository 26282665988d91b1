import { type Condition, type ConditionInit, findCondition, type KubeObject, setCondition } from '@kubewright/api';
import { isConflict, isNotFound } from '@kubewright/api/errors';
import type { EventRecorder } from '../../events/event-recorder.js';
import type { Logger } from '../../log/logger.js';
import type { ConditionWriter } from './controller-dependencies.js';
import { type Pause, PAUSED_ANNOTATION } from '../reconciler/pause.js';
import { logFailure } from '../../transport/sending/server-outage.js';

const REASON = 'PausedByAnnotation';
const CONDITION = 'Paused';

/** The options of `Pauses`. */
export interface PausesOptions {
  /** Whether the status of the kind has conditions that the controller may write. */
  readonly conditions: boolean;
  readonly writer: ConditionWriter;
  readonly events: EventRecorder;
}

/**
 * Tracks which objects are paused, and reports each pause once: in the log and with a condition. For an invalid value of the annotation,
 * also reports a Warning event.
 */
export class Pauses {
  readonly #options: PausesOptions;
  readonly #reported = new Map<string, string>();

  constructor(options: PausesOptions) {
    this.#options = options;
  }

  /** The number of paused objects. */
  get size(): number {
    return this.#reported.size;
  }
  /** Releases the state of a deleted object. */
  forget(id: string): void {
    this.#reported.delete(id);
  }

  /** Reports the pause of an object if it is not reported yet. Rejects with a conflict if another writer changed the object. */
  async begin(id: string, { object, pause, log }: PausedRun): Promise<void> {
    if (this.#reported.get(id) === pause.value) return;
    const until = pause.value === 'true' ? 'until the annotation is removed' : `until ${pause.value}`;
    const message = pause.problem ?? `not reconciled ${until}, as requested by annotation ${PAUSED_ANNOTATION}`;
    await this.#write({ object, log }, { status: true, reason: REASON, message });
    this.#reported.set(id, pause.value);
    if (pause.problem === undefined) log.info(`paused: ${message}`);
    else {
      log.warn(`paused: ${message}`);
      this.#options.events.warning(object, 'InvalidPause', message);
    }
  }

  /** Whether the start of a pause was reported, in the log or in the condition of the object, but not the end of the pause. */
  isReported(id: string, object: KubeObject): boolean {
    return this.#reported.has(id) || hasPausedCondition(object);
  }

  /**
   * Reports the end of a pause if a pause was reported. Resolves with the current object. Rejects with a conflict if another writer changed
   * the object.
   */
  async end(id: string, { object, log }: { readonly object: KubeObject; readonly log: Logger }): Promise<KubeObject> {
    if (this.#reported.delete(id)) log.info('the pause of the object has ended; reconciling the object again');
    if (!hasPausedCondition(object)) return object;
    return this.#write({ object, log }, { status: false, reason: 'Resumed' });
  }

  /**
   * Writes the condition. Rejects only with a conflict. Logs any other error, such as a missing permission, because the pause does not
   * depend on the condition.
   */
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
      const message = `cannot write the condition ${CONDITION}`;
      if (!isNotFound(error)) logFailure(log, error, { level: 'warn', message, fields: { error } });
      return object;
    }
  }
}

function hasPausedCondition(object: KubeObject): boolean {
  const reported = findCondition(object as Parameters<typeof findCondition>[0], CONDITION);
  return reported?.status === 'True' && reported.reason === REASON;
}

/** A paused object, with its pause and the logger of the run. */
export interface PausedRun {
  readonly object: KubeObject;
  readonly pause: Pause;
  readonly log: Logger;
}
