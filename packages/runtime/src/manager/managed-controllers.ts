import type { ObjectKey } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { DeclaredKind } from '../client/client-backend.js';
import type { AnyClass } from '../controller/class-metadata.js';
import type { ControllerStats } from '../controller/controller-stats.js';
import type { Logger } from '../log/logger.js';
import { declaredKinds, joinedKinds } from './declared-kinds.js';
import { ManagedController } from './managed-controller.js';
import type { QueueStatus } from './manager-status.js';
import type { AddedController } from './part.js';

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

  /** Throws DUPLICATE_CONTROLLER. */
  add(added: AddedController): void {
    const { name } = added.options;
    if (this.#controllers.has(name)) {
      throw new KubewrightError(
        'DUPLICATE_CONTROLLER',
        `there are two controllers '${name}': give one of them another name`,
      );
    }
    this.#controllers.set(name, new ManagedController(added, this.#using));
    const joined = joinedKinds([...this.declared, ...declaredKinds(added.options)]);
    this.declared.splice(0, this.declared.length, ...joined);
  }
  /** What each of them will read. */
  get expected(): readonly DeclaredKind[] {
    return [...this.#controllers.values()].flatMap(({ added }) => declaredKinds(added.options));
  }
  /** The controller of what was added. */
  of({ options }: AddedController): ManagedController {
    const controller = this.#controllers.get(options.name);
    if (controller !== undefined) return controller;
    throw new KubewrightError('UNKNOWN_CONTROLLER', `controller '${options.name}' was not added to this manager`);
  }
  /** Asks the controller of a class for a reconcile. Throws UNKNOWN_CONTROLLER and NOT_STARTED. */
  enqueue(target: AnyClass, key: ObjectKey): void {
    const controller = [...this.#controllers.values()].find(({ added }) => added.target === target);
    if (controller === undefined) {
      throw new KubewrightError('UNKNOWN_CONTROLLER', `cannot enqueue: ${target.name} was not added to this manager`);
    }
    controller.enqueue(key);
  }
  /** Why one of them cannot do its work, in sentences. */
  unreadyOf(name: string): readonly string[] {
    return this.#controllers.get(name)?.unready() ?? [];
  }
  /** The queues of those whose kinds are open. */
  queues(): readonly QueueStatus[] {
    return [...this.#controllers.values()].flatMap((controller) => controller.queueStatus() ?? []);
  }
  /** Why controllers cannot do their work, in sentences. */
  unready(): readonly string[] {
    return [...this.#controllers.values()].flatMap((controller) => controller.unready());
  }
  /** What they have still to do at this moment, by name. */
  pending(retriesWithinMs: number): readonly string[] {
    return [...this.#controllers.values()].flatMap((controller) => controller.pending(retriesWithinMs));
  }
  /** What each has done, by its name, of those whose kinds are open. */
  stats(): ReadonlyMap<string, ControllerStats> {
    return new Map(
      [...this.#controllers.values()].flatMap((controller) => {
        const stats = controller.stats();
        return stats === undefined ? [] : [[controller.name, stats] as const];
      }),
    );
  }
}
