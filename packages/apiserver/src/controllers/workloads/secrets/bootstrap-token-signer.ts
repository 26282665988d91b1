import { createHmac } from 'node:crypto';
import { type Steps, withBreak } from '@kubewright/api/apply';
import { deepEqual } from '@kubewright/api/patch';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { objectAt, stringAt } from '../../../registry/objects/json-object.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { dataOf, expiresInMs, isBootstrapToken, tokenNamespace } from './bootstrap-token.js';

const infoKey = { namespace: 'kube-public', name: 'cluster-info' };
const signaturePrefix = 'jws-kubeconfig-';
const secretName = /^bootstrap-token-([a-z0-9]{6})$/;

/**
 * Signs the kubeconfig in the ConfigMap kube-public/cluster-info with each bootstrap token for signing, so that a new node can verify the
 * cluster with its token.
 */
export class BootstrapTokenSigner implements Controller {
  readonly name = 'bootstrap-signer';
  readonly #setting: ControllerSetting;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    const { name, namespace } = object.metadata;
    const isInfo = bucket === '/configmaps' && namespace === infoKey.namespace && name === infoKey.name;
    if ((isInfo && type !== 'DELETED') || (bucket === '/secrets' && isBootstrapToken(object))) queue.add(infoKey.name);
  }

  *sync(): Steps<void> {
    const { registry } = this.#setting;
    const configMaps = registry.builtIn('/v1/configmaps');
    const info = configMaps.find(infoKey);
    const content = stringAt(info, 'data', 'kubeconfig');
    if (info === undefined || content === '') return;
    const now = registry.clock.now();
    const secrets = registry.store.list('/secrets', { namespace: tokenNamespace });
    const signatures = secrets
      .filter((secret) => isBootstrapToken(secret) && canSign(secret, now))
      .map((secret) => [
        `${signaturePrefix}${dataOf(secret, 'token-id')}`,
        signatureOf(content, dataOf(secret, 'token-id'), dataOf(secret, 'token-secret')),
      ]);
    const others = Object.entries(objectAt(info, 'data')).filter(([key]) => !key.startsWith(signaturePrefix));
    const data = Object.fromEntries([...others, ...signatures]) as Readonly<Record<string, string>>;
    if (deepEqual(data, info['data'])) return;
    const change = withBreak(() => ({ ...info, data }));
    yield* configMaps.updateSteps(infoKey, change, controllerContext(this.name, 'update'));
  }
}

function canSign(secret: ApiObject, now: Date): boolean {
  const id = secretName.exec(secret.metadata.name)?.[1];
  const isComplete = id !== undefined && dataOf(secret, 'token-id') === id && dataOf(secret, 'token-secret') !== '';
  return isComplete && dataOf(secret, 'usage-bootstrap-signing') === 'true' && expiresInMs(secret, now) > 0;
}

/** Returns a JSON Web Signature without its payload. */
function signatureOf(content: string, kid: string, secret: string): string {
  const header = base64(JSON.stringify({ alg: 'HS256', kid }));
  const signature = createHmac('sha256', secret)
    .update(`${header}.${base64(content)}`)
    .digest('base64url');
  return `${header}..${signature}`;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64url');
}
