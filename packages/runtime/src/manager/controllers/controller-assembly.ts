import type { KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { CachedClient } from '../../client/cached-client.js';
import type { DeclaredKind } from '../../client/requests/client-backend.js';
import { Client } from '../../client/client.js';
import type { ControllerDependencies } from '../../controller/runs/controller-dependencies.js';
import { selectionOf } from '../../controller/informers/controller-sources.js';
import { type KeyReconciler, keyReconciler } from '../../controller/options/key-controller.js';
import type { ObservedRun } from '../../controller/runs/observed-run.js';
import type { Reconciler } from '../../controller/reconciler/reconciler.js';
import { ownedKinds, type ResolvedControllerOptions } from '../../controller/options/resolved-options.js';
import { EventRecorder } from '../../events/event-recorder.js';
import { Logger } from '../../log/logger.js';
import type { Metrics } from '../../metrics/metrics.js';
import type { WriteFence } from '../../transport/request/write-fence.js';
import type { ConnectedBackend } from '../cluster/cluster-backend.js';
import { scopedReconciler } from '../injection/scoped-reconciler.js';
import type { Constructor, ServiceContainer } from '../injection/service-container.js';
import type { ManagerCluster } from '../cluster/manager-cluster.js';
import type { AddedController } from '../components/component.js';

/** The objects of a manager that all of its controllers use. */
export interface ControllerContext {
  readonly cluster: ManagerCluster;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Whether the client of a controller may read kinds that the controller did not declare. */
  readonly implicitInformers: boolean;
  /** Returns the client that the controller receives instead of `client`. */
  readonly client: (client: Client, controller: string) => Client;
  /** Returns the function that checks each write of a controller. Returns undefined if the writes are not checked. */
  readonly fenceOf: (work: { readonly leaderOnly: boolean }) => WriteFence | undefined;
  readonly onActivity: () => void;
  /** Called at the start and at the end of each reconcile. */
  readonly onRun: (run: ObservedRun) => void;
  /** Called with an error for which the manager must stop. */
  readonly onFatal: (error: unknown) => void;
}

/** Creates the reconciler of each controller, and a separate client, event recorder and logger for each controller. */
export class ControllerAssembly {
  readonly #context: ControllerContext;
  readonly #container: ServiceContainer;
  readonly #connected: ConnectedBackend;

  constructor(
    context: ControllerContext,
    using: { readonly container: ServiceContainer; readonly connected: ConnectedBackend },
  ) {
    this.#context = context;
    this.#container = using.container;
    this.#connected = using.connected;
  }

  /** Creates the reconciler and the dependencies of a controller. Throws NOT_PROVIDED and CANNOT_INJECT. */
  dependenciesOf({ options, reconciler }: AddedController): ControllerDependencies {
    const { cluster, clock, metrics, implicitInformers, onActivity, onRun, onFatal } = this.#context;
    const { cache, discovery, served, tracer } = this.#connected;
    const { name, leaderOnly } = options;
    const logger = options.logger(this.#context.logger);
    const fence = this.#context.fenceOf({ leaderOnly });
    const made = new CachedClient({
      backend: this.#connected,
      clock,
      logger,
      fieldManager: name,
      owns: ownedKinds(options),
      fence,
      ...(!implicitInformers && { declared: declaredKinds(options) }),
    });
    const client = this.#context.client(made, name);
    const events = cluster.recorders.of(name);
    const own = this.#container.child();
    own.provide(Client, { value: client });
    own.provide(EventRecorder, { value: events });
    own.provide(Logger, { value: logger.with({ controller: name }) });
    const whole = typeof reconciler === 'function' ? madeReconciler(reconciler, options, own) : reconciler;
    return {
      reconciler: options.byKey ? keyReconciler(whole as unknown as KeyReconciler) : whole,
      informers: cache,
      reader: client,
      live: client.live,
      names: {
        live: client.live,
        isClusterWide: (kind) => options.namespaces === undefined && cache.isClusterWide(kind),
      },
      conditions: client,
      patch: (object, operations) => cluster.backend.patch(object, operations, name),
      isNamespaced: async (kind) => (await discovery.resolve(kind)).namespaced,
      served,
      events,
      fence,
      clock,
      logger,
      metrics,
      tracer,
      onActivity,
      onRun,
      onFatal,
      random: clock.random.number,
    };
  }
}

/** Returns the kinds that a controller may read from the cache, with their selectors. */
export function declaredKinds(options: ResolvedControllerOptions): readonly DeclaredKind[] {
  const { kind, byKey, watches, reads, namespaces } = options;
  const where = namespaces === undefined ? {} : { namespaces };
  return [
    ...(byKey ? [] : [{ kind, ...where }]),
    ...watches.map((watch) => ({ kind: watch.kind, optional: watch.optional, ...selectionOf(watch, options) })),
    ...reads.map(({ kind: read, optional }) => ({ kind: read, optional, ...where })),
  ];
}

function madeReconciler(
  target: Constructor<Reconciler<KubeObject>>,
  { scope }: ResolvedControllerOptions,
  container: ServiceContainer,
): Reconciler<KubeObject> {
  return scope === 'reconcile' ? scopedReconciler(target, container) : container.make(target);
}
