import type { Steps } from '@kubewright/api/apply';
import type { Controller, ControllerSetting, KeyQueue } from '../work/controller.js';
import { controllerContext } from '../work/controller-context.js';
import type { FeedEvent } from '../work/resource-feed.js';

/** Maintains the ServiceAccount `default` in each active namespace. */
export class ServiceAccountController implements Controller {
  readonly name = 'service-account-controller';
  readonly #setting: ControllerSetting;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    const { name, namespace } = object.metadata;
    if (bucket === '/namespaces' && type === 'ADDED') queue.add(name);
    if (bucket === '/serviceaccounts' && type === 'DELETED' && name === 'default' && namespace) queue.add(namespace);
  }

  *sync(namespace: string): Steps<void> {
    const { registry } = this.#setting;
    const active = registry.builtIn('/v1/namespaces').find({ name: namespace });
    if (active === undefined || active.metadata.deletionTimestamp !== undefined) return;
    const accounts = registry.builtIn('/v1/serviceaccounts');
    if (accounts.find({ namespace, name: 'default' }) !== undefined) return;
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } };
    yield* accounts.createSteps(account, controllerContext(this.name, 'create'));
  }
}
