import type { Registry } from '../registry/registry.js';
import { CustomResourceCleanup } from './custom-resource-cleanup.js';
import { GarbageCollector } from './garbage-collector.js';
import { NamespaceController } from './namespace-controller.js';
import { type FeedEvent, ResourceFeed } from './resource-feed.js';
import { ServiceAccountController } from './service-account-controller.js';
import type { WorkLoop } from './work-loop.js';
import { DeploymentController } from './workloads/deployment-controller.js';
import { registerNode } from './workloads/embedded-node.js';
import { PodController } from './workloads/pod-controller.js';
import { ReplicaSetController } from './workloads/replica-set-controller.js';

interface Controller {
  readonly loop: WorkLoop;
  observe(event: FeedEvent): void;
}

/**
 * The controllers of a server: always those that keep the API's promises (garbage collection, namespaces, service
 * accounts, custom resources), and with `workloads` those that make Pods, ReplicaSets and Deployments ready.
 */
export class Controllers {
  readonly #registry: Registry;
  readonly #workloads: boolean;
  readonly #feed: ResourceFeed;
  readonly #controllers: readonly Controller[];
  readonly #listeners = new Set<() => void>();

  /** @param options.workloads whether Pods run and Deployments roll out. @default false */
  constructor(registry: Registry, options: { readonly workloads?: boolean } = {}) {
    this.#registry = registry;
    this.#workloads = options.workloads === true;
    this.#feed = new ResourceFeed(registry);
    const active = (): void => {
      for (const listener of this.#listeners) listener();
    };
    const workloads = [DeploymentController, ReplicaSetController, PodController];
    this.#controllers = [
      new GarbageCollector(registry, active),
      new NamespaceController(registry, active),
      new ServiceAccountController(registry, active),
      new CustomResourceCleanup(registry, active),
      ...(this.#workloads ? workloads.map((WorkloadController) => new WorkloadController(registry, active)) : []),
    ];
    for (const controller of this.#controllers) this.#feed.on((event) => controller.observe(event));
  }

  /** Begins with all objects as they are. */
  start(): void {
    if (this.#workloads) registerNode(this.#registry);
    this.#feed.start();
  }

  /** Ends all work; what is pending is forgotten. */
  stop(): void {
    this.#feed.stop();
    for (const { loop } of this.#controllers) loop.stop();
  }

  /** What is left to do, as `controller key`; empty means that the controllers have nothing to do until a write. */
  pending(): readonly string[] {
    return this.#controllers.flatMap(({ loop }) => loop.pending());
  }

  /** Calls the listener when work was done. Returns what ends it. */
  onActivity(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
