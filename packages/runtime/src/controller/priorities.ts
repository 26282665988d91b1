import type { KubeObject } from '@kubewright/api';
import { valueText } from '@kubewright/api/errors';
import type { Change } from '../cache/store/change.js';
import { describe } from '../client/requests/target.js';
import type { Logger } from '../log/logger.js';
import { isLowered, LOW_PRIORITY } from './watches/change-priority.js';

/** Calculates the priorities of objects with the `priority` option of the controller. */
export class Priorities {
  readonly #priority: ((object: KubeObject) => number) | undefined;
  readonly #name: string;
  readonly #logger: Logger;
  #reported = false;

  constructor(
    options: { readonly name: string; readonly priority: ((object: KubeObject) => number) | undefined },
    logger: Logger,
  ) {
    this.#priority = options.priority;
    this.#name = options.name;
    this.#logger = logger;
  }

  /**
   * Returns the priority of an object. Returns 0 if the controller has no `priority` function, if the object is unknown, or if the function
   * throws or does not return an integer. Logs only the first error of the function.
   */
  of(object: KubeObject | undefined): number {
    if (this.#priority === undefined || object === undefined) return 0;
    try {
      const priority = this.#priority(object);
      if (Number.isSafeInteger(priority)) return priority;
      this.#logOnce(object, `returned ${valueText(priority)}`, undefined);
    } catch (error) {
      this.#logOnce(object, 'threw', error);
    }
    return 0;
  }
  /**
   * Returns the priority for queueing the object of a change. The priority is reduced by 100 for an object of the first list, and for an
   * event that does not change the version of the object.
   */
  ofChange(change: Change<KubeObject>): number {
    const priority = this.of(change.object);
    return isLowered(change) ? priority + LOW_PRIORITY : priority;
  }

  #logOnce({ kind, metadata }: KubeObject, what: string, error: unknown): void {
    if (this.#reported) return;
    this.#reported = true;
    this.#logger.error(`the 'priority' function ${what} instead of returning an integer; using priority 0`, {
      controller: this.#name,
      object: describe(kind, metadata),
      ...(error !== undefined && { error }),
    });
  }
}
