import type { Clock } from '@kubewright/api/clock';
import type { ControllerAssembly } from './controllers/controller-assembly.js';
import type { ManagedControllers } from './controllers/managed-controllers.js';
import type { ServiceContainer } from './injection/service-container.js';
import type { Added, AddedController, AddedRunnable } from './component.js';
import { placedCluster, placedEndpoint, placedRunnable } from './placement.js';
import type { Placed } from './runnable-groups.js';
import type { Runnable } from './runnable.js';
import { withSyncLimit } from './sync-limit.js';

/** The dependencies of `PartPlacing`. */
export interface PartPlacingUsing {
  readonly container: ServiceContainer;
  readonly assembly: ControllerAssembly;
  readonly controllers: ManagedControllers;
  readonly clock: Clock;
  /** Time limit for the readiness of components other than controllers. Undefined for no limit. */
  readonly syncTimeoutMs: number | undefined;
}

/** Creates the added components and assigns them to groups. */
export class PartPlacing {
  readonly #using: PartPlacingUsing;

  constructor(using: PartPlacingUsing) {
    this.#using = using;
  }

  /** Returns the group members of an added component. Throws NOT_PROVIDED and CANNOT_INJECT. */
  placed(added: Added): readonly Placed[] {
    if ('controller' in added) return this.#controller(added.controller);
    const { clock, syncTimeoutMs } = this.#using;
    const limit = { clock, limitMs: syncTimeoutMs, missing: () => [] };
    return this.#other(added).map((placed) => withSyncLimit(placed, limit));
  }

  #controller(added: AddedController): readonly Placed[] {
    const { controllers, assembly, clock } = this.#using;
    const controller = controllers.of(added);
    const limit = { clock, limitMs: added.options.syncTimeoutMs, missing: () => controller.problems };
    return controller.placed(assembly.dependenciesOf(added)).map((placed) => withSyncLimit(placed, limit));
  }
  #other(added: Exclude<Added, { readonly controller: AddedController }>): readonly Placed[] {
    if ('cluster' in added) return [placedCluster(added.cluster.name, added.cluster.service)];
    if ('endpoint' in added) return [placedEndpoint(added.endpoint.name, added.endpoint.service)];
    return placedRunnable(added.runnable.name, this.#made(added.runnable));
  }
  #made({ runnable }: AddedRunnable): Runnable {
    return typeof runnable === 'function' ? this.#using.container.make(runnable) : runnable;
  }
}
