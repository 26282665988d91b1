import type { ControllerAssembly } from './controller-assembly.js';
import type { ManagedControllers } from './managed-controllers.js';
import type { Added, AddedRunnable } from './part.js';
import { placedCluster, placedEndpoint, placedRunnable } from './placement.js';
import type { Placed } from './runnable-groups.js';
import type { Runnable } from './runnable.js';
import type { ServiceContainer } from './service-container.js';

/** Makes parts of what was added, and finds their groups. */
export class PartPlacing {
  readonly #container: ServiceContainer;
  readonly #assembly: ControllerAssembly;
  readonly #controllers: ManagedControllers;

  constructor(using: {
    readonly container: ServiceContainer;
    readonly assembly: ControllerAssembly;
    readonly controllers: ManagedControllers;
  }) {
    this.#container = using.container;
    this.#assembly = using.assembly;
    this.#controllers = using.controllers;
  }

  /** Throws NOT_PROVIDED and CANNOT_INJECT. */
  placed(added: Added): readonly Placed[] {
    if ('controller' in added) {
      const { controller } = added;
      return this.#controllers.of(controller).placed(this.#assembly.dependenciesOf(controller));
    }
    if ('cluster' in added) return [placedCluster(added.cluster.name, added.cluster.service)];
    if ('endpoint' in added) return [placedEndpoint(added.endpoint.name, added.endpoint.service)];
    return placedRunnable(added.runnable.name, this.#made(added.runnable));
  }

  #made({ runnable }: AddedRunnable): Runnable {
    return typeof runnable === 'function' ? this.#container.make(runnable) : runnable;
  }
}
