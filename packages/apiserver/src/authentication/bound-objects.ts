import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '@kubewright/api/clock';
import type { JsonObject } from '../registry/objects/api-object.js';
import { isObject, stringAt } from '../registry/objects/json-object.js';
import type { Store } from '../storage/store.js';
import type { ApiObject } from '../storage/api-object.js';
import { InvalidCredentialsError } from './authenticated.js';

/** The time in milliseconds for which tokens stay valid after the deletionTimestamp of a bound object. */
const deletionLeewayMs = 60_000;
const accountBucket = '/serviceaccounts';
const invalidSince = 'kubernetes.io/legacy-token-invalid-since';

/** Validates the objects that tokens are bound to. A token is valid while its objects exist with the same UIDs. */
export class BoundObjects {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Checks the bound objects of a token with an expiration time. `content` is the claim `kubernetes.io` of the token. Throws
   * InvalidCredentialsError if an object does not exist, was recreated, or has a deletionTimestamp more than `deletionLeewayMs` ago.
   */
  check(content: JsonObject): void {
    const namespace = stringAt(content, 'namespace');
    this.#checkAccount(
      namespace,
      stringAt(content, 'serviceaccount', 'name'),
      stringAt(content, 'serviceaccount', 'uid'),
    );
    const { secret, pod, node } = content;
    if (isObject(secret)) this.#checkBound('secret', { bucket: '/secrets', namespace }, secret);
    if (isObject(pod)) this.#checkBound('pod', { bucket: '/pods', namespace }, pod);
    else if (isObject(node)) this.#checkBound('node', { bucket: '/nodes' }, node);
  }

  /**
   * Checks the ServiceAccount and the Secret of a token without an expiration time. Throws InvalidCredentialsError if the token is no
   * longer valid.
   */
  checkLegacy(
    account: { readonly namespace: string; readonly name: string; readonly uid: string },
    { name, token }: { readonly name: string; readonly token: string },
  ): void {
    const { namespace } = account;
    const secret = this.#store.get('/secrets', { namespace, name });
    if (secret === undefined || secret.metadata.deletionTimestamp !== undefined) {
      throw new InvalidCredentialsError('Token has been invalidated');
    }
    if (!sameText(Buffer.from(stringAt(secret, 'data', 'token'), 'base64').toString(), token)) {
      throw new InvalidCredentialsError("Token does not match server's copy");
    }
    const live = this.#account(namespace, account.name);
    const named = `${namespace}/${account.name}`;
    if (live.metadata.deletionTimestamp !== undefined) {
      throw new InvalidCredentialsError(`ServiceAccount ${named} has been deleted`);
    }
    if (live.metadata.uid !== account.uid) {
      const why = `ServiceAccount UID (${live.metadata.uid}) does not match claim (${account.uid})`;
      throw new InvalidCredentialsError(why);
    }
    if (secret.metadata.labels?.[invalidSince]) {
      const remedy = `Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${invalidSince}' label from the secret to temporarily allow use of this token`;
      throw new InvalidCredentialsError(
        `the token in secret ${namespace}/${name} for service account ${named} has been marked invalid. ${remedy}`,
      );
    }
  }

  #checkAccount(namespace: string, name: string, uid: string): void {
    const live = this.#account(namespace, name);
    if (live.metadata.uid !== uid) {
      throw new InvalidCredentialsError(`service account UID (${live.metadata.uid}) does not match claim (${uid})`);
    }
    if (this.#deletedLongAgo(live)) {
      throw new InvalidCredentialsError(`service account ${namespace}/${name} has been deleted`);
    }
  }

  #account(namespace: string, name: string): ApiObject {
    const live = this.#store.get(accountBucket, { namespace, name });
    if (live === undefined) throw new InvalidCredentialsError(`serviceaccounts ${JSON.stringify(name)} not found`);
    return live;
  }

  #checkBound(
    kind: 'secret' | 'pod' | 'node',
    { bucket, namespace }: { readonly bucket: string; readonly namespace?: string },
    claim: JsonObject,
  ): void {
    const live = this.#store.get(bucket, { namespace, name: stringAt(claim, 'name') });
    if (live !== undefined && live.metadata.uid !== claim['uid']) {
      const why = `${kind} UID (${live.metadata.uid}) does not match service account ${kind} ref claim`;
      throw new InvalidCredentialsError(`${why} (${String(claim['uid'])})`);
    }
    if (live === undefined || this.#deletedLongAgo(live)) {
      throw new InvalidCredentialsError('service account token has been invalidated');
    }
  }

  #deletedLongAgo({ metadata: { deletionTimestamp } }: ApiObject): boolean {
    if (deletionTimestamp === undefined) return false;
    return Date.parse(deletionTimestamp) < this.#clock.now().getTime() - deletionLeewayMs;
  }
}

function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
