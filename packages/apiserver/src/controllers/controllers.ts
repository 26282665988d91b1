import { createRequire } from 'node:module';
import type { Registry } from '../registry/registry.js';
import { ClusterRoleAggregation } from './guarantees/cluster-role-aggregation.js';
import type { Controller, ControllerSetting } from './work/controller.js';
import { CustomResourceCleanup } from './guarantees/custom-resource-cleanup.js';
import { DisruptionController } from './guarantees/disruption-controller.js';
import { EventRecorder } from './work/event-recorder.js';
import { GarbageCollector } from './guarantees/garbage-collector.js';
import { NamespaceController } from './guarantees/namespace-controller.js';
import { ObjectIndex } from './work/object-index.js';
import { ResourceFeed } from './work/resource-feed.js';
import { ResourceQuotaController } from './guarantees/resource-quota-controller.js';
import { RootCertificatePublisher } from './guarantees/root-certificate-publisher.js';
import { ServiceAccountController } from './guarantees/service-account-controller.js';
import { TokensController } from './guarantees/tokens-controller.js';
import { rareControllers } from './rare-controllers.js';
import type { Trust } from './work/trust.js';
import { VolumeProtection } from './guarantees/volume-protection.js';
import { WorkLoop } from './work/work-loop.js';
import { SimulatedPods } from './simulation/simulated-pods.js';
import { WorkTurns } from './work/work-turns.js';
import { selectedWorkloads, type WorkloadName, type Workloads } from './workload-names.js';

const load = createRequire(import.meta.url);

type ControllerClass = new (setting: ControllerSetting) => Controller;

/** The controllers that implement API guarantees and always run. */
const promised: readonly ControllerClass[] = [
  GarbageCollector,
  NamespaceController,
  ServiceAccountController,
  CustomResourceCleanup,
  VolumeProtection,
  ClusterRoleAggregation,
  DisruptionController,
  ResourceQuotaController,
];

/**
 * The controllers of a server. The controllers that implement API guarantees, such as garbage collection and the deletion of namespaces,
 * always run. `workloads` adds the controllers that run Pods, Deployments and other workloads.
 */
export class Controllers {
  readonly #setting: ControllerSetting;
  readonly #workloads: ReadonlySet<WorkloadName>;
  readonly #feed: ResourceFeed;
  readonly #turns: WorkTurns;
  readonly #loops: readonly WorkLoop[];
  readonly #listeners = new Set<() => void>();

  /**
   * @param options.workloads the workload controllers to run. @default none
   * @param options.simulated the behavior of the Pods. @default there are no simulated nodes
   * @param options.trust the certificate authority to publish in each namespace, and the issuer of tokens for Secrets. @default none
   */
  constructor(
    registry: Registry,
    options: {
      readonly workloads?: Workloads;
      readonly simulated?: SimulatedPods;
      readonly trust?: Trust;
    } = {},
  ) {
    this.#workloads = selectedWorkloads(options.workloads ?? false);
    this.#feed = new ResourceFeed(registry);
    this.#turns = new WorkTurns(() => {
      for (const listener of this.#listeners) listener();
    });
    const index = new ObjectIndex();
    const { simulated = new SimulatedPods(), trust } = options;
    this.#setting = { registry, index, events: new EventRecorder(registry), simulated, ...(trust && { trust }) };
    const selected = [...this.#workloads].flatMap((name) => loadWorkloads().workloadControllers[name]);
    this.#feed.on((event) => index.observe(event));
    const trusting =
      trust === undefined
        ? []
        : [RootCertificatePublisher, TokensController].map((Made) => new Made(this.#setting, trust));
    const controllers = [...selected, ...promised].map((Made) => new Made(this.#setting));
    this.#loops = [...controllers, ...rareControllers(this.#setting), ...trusting].map((controller) =>
      this.#loopOf(controller),
    );
  }

  /**
   * Creates the initial objects of the workload controllers, and starts all controllers. The controllers first observe the existing
   * objects.
   */
  start(): void {
    for (const name of this.#workloads) loadWorkloads().workloadInitializers[name]?.(this.#setting);
    this.#feed.start();
  }

  /** Stops all controllers and discards pending work. */
  stop(): void {
    this.#feed.stop();
    this.#turns.stop();
    for (const loop of this.#loops) loop.stop();
  }

  /**
   * Returns the pending work as `controller key`. An empty result means that the controllers are idle until a write or a scheduled time,
   * such as the next run of a CronJob. With `timers: false`, omits failed keys that wait for their next attempt.
   */
  pending(options?: { readonly timers: boolean }): readonly string[] {
    return this.#loops.flatMap((loop) => loop.pending(options));
  }

  /** Calls the listener after each turn of the event loop in which the controllers run. Returns a function that removes the listener. */
  onActivity(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #loopOf(controller: Controller): WorkLoop {
    const loop: WorkLoop = new WorkLoop({
      name: controller.name,
      clock: this.#setting.registry.clock,
      sync: (key) => controller.sync(key, loop),
      turns: this.#turns,
      concurrency: controller.concurrency,
    });
    controller.start?.(loop);
    this.#feed.on((event) => controller.observe(event, loop));
    return loop;
  }
}

/** Loads the workload controllers on demand, because most servers do not use them. */
function loadWorkloads(): typeof import('./workload-controllers.js') {
  return load('./workload-controllers.js') as typeof import('./workload-controllers.js');
}
