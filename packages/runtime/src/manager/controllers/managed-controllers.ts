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

/** The controllers of a manager. Finds controllers by name and by class. */
export class ManagedControllers {
  /** The kinds that the client of the manager may read from the cache. Each added controller adds its kinds. */
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
   * Adds a controller. Returns its name in this manager. If another controller has the same name and `sameName` allows this, the name ends
   * with a number. Throws DUPLICATE_CONTROLLER.
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
  /** The controllers by their names in this manager, in the order in which they were added. */
  get added(): ReadonlyMap<string, AddedController> {
    return new Map([...this.#controllers].map(([name, { added }]) => [name, added]));
  }
  /**
   * The kinds whose informers controllers start at the start of the manager. Excludes controllers that start their informers only after the
   * election.
   */
  get expected(): readonly DeclaredKind[] {
    const early = this.#all.filter(({ added: { options } }) => !options.leaderOnly || options.warmUp);
    return early.flatMap(({ added }) => declaredKinds(added.options));
  }
  /** Returns the managed controller for a controller that was passed to `add`. */
  of(added: AddedController): ManagedController {
    const controller = this.#all.find((each) => each.added === added);
    if (controller !== undefined) return controller;
    throw unknown(`controller '${added.options.name}'`);
  }
  /** Returns the name of a controller in this manager. */
  nameOf(added: AddedController): string {
    const found = [...this.#controllers].find(([, each]) => each.added === added);
    if (found !== undefined) return found[0];
    throw unknown(`controller '${added.options.name}'`);
  }
  /** Returns the controller with this class or name. Throws UNKNOWN_CONTROLLER. */
  get(target: AnyClass | string): ManagedController {
    const controller =
      typeof target === 'string'
        ? this.#controllers.get(target)
        : this.#all.find(({ added }) => added.target === target);
    if (controller !== undefined) return controller;
    throw unknown(typeof target === 'string' ? `controller '${target}'` : target.name);
  }
  /** Returns why the controller with this name cannot work, as sentences. */
  unreadyOf(name: string): readonly string[] {
    return this.#controllers.get(name)?.problems ?? [];
  }
  /** Returns the status of each queue. Excludes controllers whose informers have not started. */
  queues(): readonly QueueStatus[] {
    return this.#all.flatMap((controller) => controller.queueStatus() ?? []);
  }
  /** Returns why controllers cannot work, as sentences. The list is empty if there is no problem. */
  unready(): readonly string[] {
    return this.#all.flatMap((controller) => controller.problems);
  }
  /** Returns the names of the pending work of all controllers. */
  pending(retriesWithinMs: number): readonly string[] {
    return this.#all.flatMap((controller) => controller.pending(retriesWithinMs));
  }
  /** Returns the statistics of each controller whose informers have started, by the name of the controller. */
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
