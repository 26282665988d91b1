import type { Registry } from '../registry/registry.js';
import { systemContext } from '../registry/request-context.js';
import type { FeedEvent } from './resource-feed.js';
import { WorkLoop } from './work-loop.js';

/** Sees to it that every active namespace has the ServiceAccount `default`. */
export class ServiceAccountController {
  readonly loop: WorkLoop;
  readonly #registry: Registry;

  constructor(registry: Registry, onActivity: () => void) {
    this.#registry = registry;
    this.loop = new WorkLoop({
      name: 'service-account-controller',
      clock: registry.clock,
      sync: (namespace) => this.#sync(namespace),
      onActivity,
    });
  }

  /** Takes note of a change; work follows later. */
  observe({ type, bucket, object }: FeedEvent): void {
    const { name, namespace } = object.metadata;
    if (bucket === '/namespaces' && type === 'ADDED') this.loop.add(name);
    if (bucket === '/serviceaccounts' && type === 'DELETED' && name === 'default' && namespace)
      this.loop.add(namespace);
  }

  #sync(namespace: string): void {
    const active = this.#registry.builtIn('/v1/namespaces').find({ name: namespace });
    if (active === undefined || active.metadata.deletionTimestamp !== undefined) return;
    const accounts = this.#registry.builtIn('/v1/serviceaccounts');
    if (accounts.find({ namespace, name: 'default' }) !== undefined) return;
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } };
    accounts.create(account, systemContext(this.loop.name, 'create'));
  }
}
