import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { Clock, SystemClock, type Timer } from '@kubewright/api/clock';
import { bootstrap } from '../registry/bootstrap.js';
import { stringAt } from '../registry/objects/json-object.js';
import { Registry } from '../registry/registry.js';
import { type RequestContext, systemContext } from '../registry/requests/request-context.js';
import type { Resource } from '../registry/resource.js';
import { Store } from '../storage/store.js';
import { builtInChecks } from '../admission/built-in-checks.js';
import { Controllers } from '../controllers/controllers.js';
import { resolveNodes } from '../controllers/simulation/node-declaration.js';
import { SimulatedPods } from '../controllers/simulation/simulated-pods.js';
import type { Workloads } from '../controllers/workload-names.js';

/** The request context in controller tests. */
export const context: RequestContext = systemContext('test', 'create');

/** A clock that only advances on request. */
export class SteppedClock extends Clock {
  #ms = Date.parse('2026-01-01T00:00:00Z');
  readonly #timers = new Map<Timer, { readonly dueMs: number; readonly callback: () => void }>();

  override now(): Date {
    return new Date(this.#ms);
  }

  override monotonicMs(): number {
    return this.#ms;
  }

  override sleep(): Promise<void> {
    return Promise.reject(new Error('sleep is not supported'));
  }

  override schedule(delayMs: number, callback: () => void): Timer {
    const timer: Timer = { cancel: () => this.#timers.delete(timer) };
    this.#timers.set(timer, { dueMs: this.#ms + delayMs, callback });
    return timer;
  }

  /** Advances the clock and runs the due timers. */
  advance(ms: number): void {
    this.#ms += ms;
    for (const [timer, { dueMs, callback }] of this.#timers) {
      if (dueMs > this.#ms || !this.#timers.delete(timer)) continue;
      callback();
    }
  }
}

/** A registry with controllers, without a server. */
export interface Cluster {
  readonly registry: Registry;
  resource(path: `${string}/${string}/${string}`): Resource;
  /** Resolves when the controllers have no pending work. */
  quiet(): Promise<void>;
  /** Returns the pending work. */
  pending(): readonly string[];
  /** Returns the Events about an object in order, as `reason: message`. */
  eventsOf(name: string): readonly string[];
}

/** Starts a cluster that stops at the end of the test. */
export function startCluster(
  t: TestContext,
  options: { readonly workloads?: Workloads; readonly clock?: Clock; readonly simulated?: SimulatedPods } = {},
): Cluster {
  const { clock = new SystemClock(), simulated = new SimulatedPods(resolveNodes(1)), workloads = false } = options;
  const registry = new Registry({ store: new Store(), clock, admission: builtInChecks });
  bootstrap(registry);
  const controllers = new Controllers(registry, { workloads, simulated });
  controllers.start();
  t.after(() => controllers.stop());
  return {
    registry,
    resource: (path) => {
      const [group = '', version = '', plural = ''] = path.split('/');
      const definition = registry.find(group, version, plural);
      assert.ok(definition, path);
      return registry.resource(definition);
    },
    quiet: () =>
      new Promise((resolve) => {
        const look = (): void => {
          if (controllers.pending().length > 0) return;
          unsubscribe();
          resolve();
        };
        const unsubscribe = controllers.onActivity(look);
        look();
      }),
    pending: () => controllers.pending(),
    eventsOf: (name) =>
      registry.store
        .list('/events')
        .filter((event) => stringAt(event, 'involvedObject', 'name') === name)
        .toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
        .map((event) => `${stringAt(event, 'reason')}: ${stringAt(event, 'message')}`),
  };
}

/** Returns a Pod template with the label app=web and the given command. */
export function template(command: readonly string[] = [], spec: object = {}): object {
  const containers = [{ name: 'c', image: 'nginx:1', ...(command.length > 0 ? { command } : {}) }];
  return { metadata: { labels: { app: 'web' } }, spec: { containers, ...spec } };
}

/** Returns the body of a workload named web that selects Pods with the label app=web. */
export function workload(spec: object = {}): object {
  return {
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: template(), ...spec },
  };
}

/** Returns the key of an object in the namespace default. */
export const at = (name: string): { readonly name: string; readonly namespace: string } => ({
  name,
  namespace: 'default',
});
