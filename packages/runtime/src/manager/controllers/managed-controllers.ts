import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { append } from '@kubewright/api/json';
import type { DeclaredKind } from '../../client/client-backend.js';
import type { AnyClass } from '../../controller/class-metadata.js';
import type { ControllerStats } from '../../controller/controller-stats.js';
import type { Logger } from '../../log/logger.js';
import type { QueueStatus } from '../manager-status.js';
import type { AddedController } from '../part.js';
import { declaredKinds } from './declared-kinds.js';
import { ManagedController } from './managed-controller.js';

/** The controllers of a manager, by name and by class. */
export class ManagedControllers {
  /** What the manager's own client may read; grows with each controller. */
  readonly declared: DeclaredKind[] = [];
  readonly #using: { readonly clock: Clock; readonly logger: Logger };
  readonly #controllers = new Map<string, ManagedController>();

  constructor(using: { readonly clock: Clock; readonly logger: Logger }) {
    this.#using = using;
  }

  get names(): readonly string[] {
    return [...this.#controllers.keys()];
  }

  /** Gives the name under which it is known here: that of the controller, with a number where another has it, too. Throws DUPLICATE_CONTROLLER. */
  add(added: AddedController): string {
    const { name, sameName } = added.options;
    let known = name;
    for (let number = 2; this.#controllers.has(known); number++) known = `${name}-${number}`;
    if (known !== name && !sameName) {
      throw new KubewrightError(
        'DUPLICATE_CONTROLLER',
        `there are two controllers '${name}': give one of them another name`,
      );
    }
    this.#controllers.set(known, new ManagedController(added, this.#using));
    append(this.declared, declaredKinds(added.options));
    return known;
  }
  /** What was added, in this order. */
  get added(): readonly AddedController[] {
    return this.#all.map(({ added }) => added);
  }
  /** What those declare that open their kinds with the caches. */
  get expected(): readonly DeclaredKind[] {
    const early = this.#all.filter(({ added: { options } }) => !options.leaderOnly || options.warmUp);
    return early.flatMap(({ added }) => declaredKinds(added.options));
  }
  /** The controller of what was added. */
  of(added: AddedController): ManagedController {
    const controller = this.#all.find((each) => each.added === added);
    if (controller !== undefined) return controller;
    throw unknown(`controller '${added.options.name}'`);
  }
  /** The controller of that class, or of that name. Throws UNKNOWN_CONTROLLER. */
  get(target: AnyClass | string): ManagedController {
    const controller =
      typeof target === 'string'
        ? this.#controllers.get(target)
        : this.#all.find(({ added }) => added.target === target);
    if (controller !== undefined) return controller;
    throw unknown(typeof target === 'string' ? `controller '${target}'` : target.name);
  }
  /** Why one of them cannot do its work, in sentences. */
  unreadyOf(name: string): readonly string[] {
    return this.#controllers.get(name)?.problems ?? [];
  }
  /** The queues of those whose kinds are open. */
  queues(): readonly QueueStatus[] {
    return this.#all.flatMap((controller) => controller.queueStatus() ?? []);
  }
  /** Why controllers cannot do their work, in sentences. */
  unready(): readonly string[] {
    return this.#all.flatMap((controller) => controller.problems);
  }
  /** What they have still to do at this moment, by name. */
  pending(retriesWithinMs: number): readonly string[] {
    return this.#all.flatMap((controller) => controller.pending(retriesWithinMs));
  }
  /** What each has done, by its name, of those whose kinds are open. */
  stats(): ReadonlyMap<string, ControllerStats> {
    return new Map(
      [...this.#controllers].flatMap(([name, { stats }]) => (stats === undefined ? [] : [[name, stats] as const])),
    );
  }

  get #all(): readonly ManagedController[] {
    return [...this.#controllers.values()];
  }
}

function unknown(what: string): KubewrightError {
  return new KubewrightError('UNKNOWN_CONTROLLER', `${what} was not added to this manager: call manager.add before`);
}
