import { type Steps, withBreak } from '@kubewright/api/apply';
import { isNotFound } from '@kubewright/api/errors';
import type { ServiceAccountTokens } from '../../authentication/service-account-tokens.js';
import type { ApiObject, JsonObject } from '../../registry/objects/api-object.js';
import { objectAt, stringAt } from '../../registry/objects/json-object.js';
import type { Controller, ControllerSetting, KeyQueue } from '../work/controller.js';
import { controllerContext } from '../work/controller-context.js';
import type { FeedEvent } from '../work/resource-feed.js';
import type { Trust } from '../work/trust.js';

const tokenType = 'kubernetes.io/service-account-token';
const accountName = 'kubernetes.io/service-account.name';
const accountUid = 'kubernetes.io/service-account.uid';

/**
 * Adds the token, the namespace and the certificate authority to Secrets of the type `kubernetes.io/service-account-token`. Deletes such a
 * Secret if its ServiceAccount does not exist, or exists with another UID.
 */
export class TokensController implements Controller {
  readonly name = 'tokens-controller';
  readonly #setting: ControllerSetting;
  readonly #certificate: string;
  readonly #tokens: ServiceAccountTokens;

  constructor(setting: ControllerSetting, { certificateAuthority, tokens }: Trust) {
    this.#setting = setting;
    this.#certificate = base64(certificateAuthority);
    this.#tokens = tokens;
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    const { name, namespace = '' } = object.metadata;
    if (bucket === '/secrets' && type !== 'DELETED' && object['type'] === tokenType) queue.add(`${namespace}/${name}`);
    if (bucket !== '/serviceaccounts' || type !== 'DELETED') return;
    for (const secret of this.#setting.registry.store.list('/secrets', { namespace })) {
      const requested = secret.metadata.annotations?.[accountName] === name && secret['type'] === tokenType;
      if (requested) queue.add(`${namespace}/${secret.metadata.name}`);
    }
  }

  *sync(key: string): Steps<void> {
    const [namespace = '', name = ''] = key.split('/');
    const secrets = this.#setting.registry.builtIn('/v1/secrets');
    const secret = secrets.find({ namespace, name });
    if (secret === undefined || secret['type'] !== tokenType) return;
    const account = this.#account(secret);
    if (account === undefined) {
      try {
        const preconditions = { uid: secret.metadata.uid };
        yield* secrets.deleteSteps({ namespace, name }, { preconditions }, controllerContext(this.name, 'delete'));
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
      return;
    }
    const next = this.#filled(secret, account);
    if (next === undefined) return;
    const context = controllerContext(this.name, 'update');
    yield* secrets.updateSteps(
      { namespace, name },
      withBreak(() => next),
      context,
    );
  }

  #account({ metadata }: ApiObject): ApiObject | undefined {
    const { namespace, annotations = {} } = metadata;
    const found = this.#setting.registry
      .builtIn('/v1/serviceaccounts')
      .find({ namespace, name: annotations[accountName] ?? '' });
    const uid = annotations[accountUid];
    return uid === undefined || uid === found?.metadata.uid ? found : undefined;
  }

  /**
   * Returns the Secret with the current certificate authority, and with its namespace and token if they are missing. Returns undefined if
   * the Secret is complete.
   */
  #filled(secret: ApiObject, account: ApiObject): JsonObject | undefined {
    const data = objectAt(secret, 'data');
    const { name, namespace = '', annotations } = secret.metadata;
    const token = stringAt(data, 'token');
    if (data['ca.crt'] === this.#certificate && token !== '' && stringAt(data, 'namespace') !== '') return undefined;
    return {
      ...secret,
      metadata: {
        ...secret.metadata,
        annotations: { ...annotations, [accountName]: account.metadata.name, [accountUid]: account.metadata.uid },
      },
      data: {
        ...data,
        'ca.crt': this.#certificate,
        namespace: stringAt(data, 'namespace') || base64(namespace),
        token: token || base64(this.#tokens.issueLegacy(account, name)),
      },
    };
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
