import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { append } from '@kubewright/api/json';
import type { DeclaredKind } from '../../client/requests/client-backend.js';
import type { AnyClass } from '../../metadata/class-metadata.js';
import type { ControllerStats } from '../../controller/runs/controller-stats.js';
import type { Logger } from '../../log/logger.js';
import type { QueueStatus } from '../lifecycle/manager-status.js';
import type { AddedController } from '../components/component.js';
import { declaredKinds } from './controller-assembly.js';
import { ManagedController } from './managed-controller.js';

/** The controllers of a manager, by name and by class. */
export class ManagedControllers {
  /** The kinds that the manager's own client may read from the cache. Grows with each added controller. */
  readonly declared: DeclaredKind[] = [];
  readonly #using: { readonly clock: Clock; readonly logger: Logger };
  readonly #controllers = new Map<string, ManagedController>();

  constructor(using: { readonly clock: Clock; readonly logger: Logger }) {
    this.#using = using;
  }

  get names(): readonly string[] {
    return [...this.#controllers.keys()];
  }

  /**
   * Adds a controller. Returns its name in this manager: the name of the controller, with a number if another controller has the same name.
   * Throws DUPLICATE_CONTROLLER.
   */
  add(added: AddedController): string {
    const { name, sameName } = added.options;
    let known = name;
    for (let number = 2; this.#controllers.has(known); number++) known = `${name}-${number}`;
    if (known !== name && !sameName) {
      throw new KubewrightError(
        'DUPLICATE_CONTROLLER',
        `duplicate controller '${name}': give one of the two controllers another name`,
      );
    }
    this.#controllers.set(known, new ManagedController(added, this.#using));
    append(this.declared, declaredKinds(added.options));
    return known;
  }
  /** The added controllers, in order. */
  get added(): readonly AddedController[] {
    return this.#all.map(({ added }) => added);
  }
  /** The declared kinds of the controllers that open their kinds with the caches. */
  get expected(): readonly DeclaredKind[] {
    const early = this.#all.filter(({ added: { options } }) => !options.leaderOnly || options.warmUp);
    return early.flatMap(({ added }) => declaredKinds(added.options));
  }
  /** Returns the managed controller of an added controller. */
  of(added: AddedController): ManagedController {
    const controller = this.#all.find((each) => each.added === added);
    if (controller !== undefined) return controller;
    throw unknown(`controller '${added.options.name}'`);
  }
  /** Returns the controller of a class or a name. Throws UNKNOWN_CONTROLLER. */
  get(target: AnyClass | string): ManagedController {
    const controller =
      typeof target === 'string'
        ? this.#controllers.get(target)
        : this.#all.find(({ added }) => added.target === target);
    if (controller !== undefined) return controller;
    throw unknown(typeof target === 'string' ? `controller '${target}'` : target.name);
  }
  /** Returns the reasons why the named controller cannot work, as sentences. */
  unreadyOf(name: string): readonly string[] {
    return this.#controllers.get(name)?.problems ?? [];
  }
  /** Returns the queues of the controllers whose kinds are open. */
  queues(): readonly QueueStatus[] {
    return this.#all.flatMap((controller) => controller.queueStatus() ?? []);
  }
  /** Returns the reasons why controllers cannot work, as sentences. */
  unready(): readonly string[] {
    return this.#all.flatMap((controller) => controller.problems);
  }
  /** Returns the remaining work of all controllers, by name. */
  pending(retriesWithinMs: number): readonly string[] {
    return this.#all.flatMap((controller) => controller.pending(retriesWithinMs));
  }
  /** Returns the statistics of each controller whose kinds are open, by controller name. */
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
  return new KubewrightError('UNKNOWN_CONTROLLER', `${what} was not added to this manager: call manager.add first`);
}
