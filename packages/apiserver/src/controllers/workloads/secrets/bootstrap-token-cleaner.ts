import type { Steps } from '@kubewright/api/apply';
import { keyText, parseKey } from '../../objects/object-reference.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { expiresInMs, isBootstrapToken } from './bootstrap-token.js';

/** Deletes the Secrets of expired bootstrap tokens. */
export class BootstrapTokenCleaner implements Controller {
  readonly name = 'token-cleaner';
  readonly #setting: ControllerSetting;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    if (bucket === '/secrets' && type !== 'DELETED' && isBootstrapToken(object)) queue.add(keyText(object.metadata));
  }

  *sync(key: string, queue: KeyQueue): Steps<void> {
    const { registry } = this.#setting;
    const secrets = registry.builtIn('/v1/secrets');
    const secret = secrets.find(parseKey(key));
    if (secret === undefined || !isBootstrapToken(secret)) return;
    const leftMs = expiresInMs(secret, registry.clock.now());
    if (leftMs > 0) {
      if (Number.isFinite(leftMs)) queue.addAfter(key, leftMs);
      return;
    }
    const preconditions = { uid: secret.metadata.uid };
    yield* secrets.deleteSteps(secret.metadata, { preconditions }, controllerContext(this.name, 'delete'));
  }
}
