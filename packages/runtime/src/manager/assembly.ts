import { Clock } from '@kubewright/api/clock';
import { Cache } from '../cache/cache.js';
import { Client } from '../client/client.js';
import type { ControllerDependencies } from '../controller/runs/controller-dependencies.js';
import type { ObservedRun } from '../controller/runs/observed-run.js';
import { EventRecorder } from '../events/event-recorder.js';
import { Logger } from '../log/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import type { WriteFence } from '../transport/request/write-fence.js';
import type { ConnectedBackend } from './cluster/cluster-backend.js';
import type { ManagerCluster } from './cluster/manager-cluster.js';
import type { AddedWebhook } from './components/added-webhook.js';
import type { Added, AddedController, AddedRunnable } from './components/component.js';
import { placedCluster, placedEndpoint, placedRunnable } from './components/placement.js';
import type { Runnable } from './components/runnable.js';
import { ControllerAssembly } from './controllers/controller-assembly.js';
import type { ManagedControllers } from './controllers/managed-controllers.js';
import { ServiceContainer } from './injection/service-container.js';
import type { Placed } from './lifecycle/runnable-groups.js';
import { withSyncLimit } from './lifecycle/sync-limit.js';
import type { ResolvedManagerOptions } from './settings/resolved-manager-options.js';
import type { ManagerWebhooks } from './webhooks/manager-webhooks.js';

/** The objects from which an assembly creates components. */
export interface AssemblyUsing {
  readonly options: ResolvedManagerOptions;
  /** The calls of `manager.provide`, in the order of the calls. Each function registers one service. */
  readonly provisions: readonly ((container: ServiceContainer) => void)[];
  readonly cluster: ManagerCluster;
  readonly controllers: ManagedControllers;
  readonly webhooks: ManagerWebhooks;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Returns the function that checks each write of a controller. Returns undefined if the writes are not checked. */
  readonly fenceOf: (work: { readonly leaderOnly: boolean }) => WriteFence | undefined;
  /** Called each time an informer or a controller has made progress. */
  readonly onActivity: () => void;
  /** Called at the start and at the end of each reconcile. */
  readonly onRun: (run: ObservedRun) => void;
  /** Called with an error for which the manager must stop. */
  readonly onFatal: (error: unknown) => void;
}

/** Creates the components of a manager after the connection is open, and determines the group in which each component runs. */
export class Assembly {
  readonly #using: AssemblyUsing;
  readonly #container: ServiceContainer;
  readonly #controllers: ControllerAssembly;

  private constructor(using: AssemblyUsing, container: ServiceContainer, connected: ConnectedBackend) {
    const { clock, implicitInformers, client } = using.options;
    this.#using = using;
    this.#container = container;
    this.#controllers = new ControllerAssembly(
      { ...using, clock, implicitInformers, client },
      { container, connected },
    );
  }

  /**
   * Creates an assembly and the container of the manager. Also passes the kinds of the controllers to the cache, so that the cache can plan
   * its watches.
   */
  static async create(using: AssemblyUsing, connected: ConnectedBackend): Promise<Assembly> {
    connected.cache.onProgress(using.onActivity);
    connected.cache.expect(using.controllers.expected);
    return new Assembly(using, await newContainer(using), connected);
  }

  /** Returns the group members that run a component. Throws NOT_PROVIDED and CANNOT_INJECT. */
  placed(added: Added): readonly Placed[] {
    if ('controller' in added) return this.#controller(added.controller);
    const { clock, syncTimeoutMs } = this.#using.options;
    const limit = { clock, limitMs: syncTimeoutMs, missing: () => [] };
    return this.#other(added).map((placed) => withSyncLimit(placed, limit));
  }
  /** Creates the reconciler and the dependencies of a controller. Throws NOT_PROVIDED and CANNOT_INJECT. */
  dependenciesOf(added: AddedController): ControllerDependencies {
    return this.#controllers.dependenciesOf(added);
  }

  #controller(added: AddedController): readonly Placed[] {
    const { controllers, options } = this.#using;
    const controller = controllers.of(added);
    const limit = {
      clock: options.clock,
      limitMs: added.options.syncTimeoutMs,
      missing: () => controller.problems,
    };
    return controller.placed(this.dependenciesOf(added)).map((placed) => withSyncLimit(placed, limit));
  }
  #other(added: Exclude<Added, { readonly controller: AddedController }>): readonly Placed[] {
    if ('policy' in added) return [];
    if ('webhook' in added) return this.#webhook(added.webhook);
    if ('cluster' in added) return [placedCluster(added.cluster.name, added.cluster.service)];
    if ('endpoint' in added) return [placedEndpoint(added.endpoint.name, added.endpoint.service)];
    return placedRunnable(added.runnable.name, this.#made(added.runnable));
  }
  #webhook(added: AddedWebhook): readonly Placed[] {
    const { handlers } = added;
    const make = (): readonly object[] =>
      typeof handlers === 'function' ? [this.#container.make<object>(handlers)] : handlers;
    return this.#using.webhooks.placed(added, make);
  }
  #made({ runnable }: AddedRunnable): Runnable {
    return typeof runnable === 'function' ? this.#container.make(runnable) : runnable;
  }
}

/**
 * Creates a child of the container of the program. Registers the services of the manager, and then the services of `manager.provide`. If a
 * token is registered twice, the last registration takes precedence.
 */
async function newContainer({ options, cluster, logger, provisions }: AssemblyUsing): Promise<ServiceContainer> {
  const container = await ServiceContainer.create(options.container);
  container.provide(Client, { value: cluster.client });
  container.provide(Cache, { value: cluster.cache });
  container.provide(EventRecorder, { value: cluster.events });
  container.provide(Clock, { value: options.clock });
  container.provide(Logger, { value: logger });
  for (const provision of provisions) provision(container);
  return container;
}
