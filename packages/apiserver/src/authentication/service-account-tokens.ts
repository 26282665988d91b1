import type { Clock } from '@kubewright/api/clock';
import { objectAt, stringAt } from '../registry/objects/json-object.js';
import { serviceAccountGroups, serviceAccountUserName, type User } from '../registry/requests/user.js';
import type { Store } from '../storage/store.js';
import { type Authenticated, InvalidCredentialsError } from './authenticated.js';
import { BoundObjects } from './bound-objects.js';
import { type Claims, type ReadToken, readToken, type TokenSigner } from './token-signer.js';

/** The issuer of tokens with an expiration time, and the audience of the server. */
export const tokenIssuer = 'https://kubernetes.default.svc.cluster.local';
/** The audiences of the server. */
export const serverAudiences: readonly string[] = [tokenIssuer];

const legacyIssuer = 'kubernetes/serviceaccount';
const legacyClaim = 'kubernetes.io/serviceaccount/';
/** The accepted clock skew in seconds. */
const leewaySeconds = 60;

/** An object that a token references by name and UID. */
export interface Named {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid: string };
}

/** The content of a token with an expiration time. */
export interface TokenContent {
  readonly account: Named;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** The time in seconds after which the use of a token with an extended lifetime is stale. The token contains this time as `warnafter`. */
  readonly warnAfterSeconds?: number;
  readonly pod?: Named;
  readonly secret?: Named;
  /** The node. Only the name is known for a node that does not exist. */
  readonly node?: { readonly metadata: { readonly name: string; readonly uid?: string } };
}

/** Issues the tokens of ServiceAccounts. Authenticates a token as long as the objects to which the token is bound exist. */
export class ServiceAccountTokens {
  readonly #signer: TokenSigner;
  readonly #clock: Clock;
  readonly #bound: BoundObjects;

  constructor(signer: TokenSigner, { store, clock }: { readonly store: Store; readonly clock: Clock }) {
    this.#signer = signer;
    this.#clock = clock;
    this.#bound = new BoundObjects(store, clock);
  }

  /** Returns the key for verifying tokens as a JSON Web Key. */
  publicKey(): Claims {
    return this.#signer.publicKey();
  }

  /** Issues a token with an expiration time. */
  issue({ account, audiences, expirationSeconds, warnAfterSeconds, pod, secret, node }: TokenContent): string {
    const now = this.#seconds();
    const { name, namespace = '' } = account.metadata;
    return this.#signer.sign({
      aud: audiences,
      exp: now + expirationSeconds,
      iat: now,
      iss: tokenIssuer,
      jti: this.#clock.random.uuid(),
      'kubernetes.io': {
        namespace,
        ...(node === undefined ? {} : { node: reference(node) }),
        ...(pod === undefined ? {} : { pod: reference(pod) }),
        ...(secret === undefined ? {} : { secret: reference(secret) }),
        serviceaccount: reference(account),
        ...(warnAfterSeconds === undefined ? {} : { warnafter: now + warnAfterSeconds }),
      },
      nbf: now,
      sub: serviceAccountUserName(namespace, name),
    });
  }

  /** Issues the token of a Secret, which is valid while the Secret contains the token. */
  issueLegacy(account: Named, secretName: string): string {
    const { name, namespace = '', uid } = account.metadata;
    return this.#signer.sign({
      iss: legacyIssuer,
      [`${legacyClaim}namespace`]: namespace,
      [`${legacyClaim}secret.name`]: secretName,
      [`${legacyClaim}service-account.name`]: name,
      [`${legacyClaim}service-account.uid`]: uid,
      sub: serviceAccountUserName(namespace, name),
    });
  }

  /**
   * Returns the user of a token and the accepted audiences. Returns undefined if the text is not a token, or if another issuer has issued
   * the token. Throws InvalidCredentialsError if the token is not valid for any of the audiences, or no longer valid.
   */
  authenticate(token: string, audiences: readonly string[]): Authenticated | undefined {
    const read = readToken(token);
    if (read === undefined) return undefined;
    const { iss } = read.claims;
    if (iss !== tokenIssuer && iss !== legacyIssuer) return undefined;
    this.#checkSignature(read);
    const own = Array.isArray(read.claims['aud']) ? read.claims['aud'].map(String) : serverAudiences;
    const accepted = new Set(audiences);
    const common = own.filter((audience) => accepted.has(audience));
    if (common.length === 0) {
      const why = `token audiences ${quoted(own)} is invalid for the target audiences ${quoted(audiences)}`;
      throw new InvalidCredentialsError(why);
    }
    const user = iss === legacyIssuer ? this.#legacyUser(read.claims, token) : this.#user(read.claims);
    return { user, audiences: common };
  }

  #checkSignature(read: ReadToken): void {
    const { kid } = read.header;
    if (kid !== undefined && kid !== this.#signer.keyId) {
      throw new InvalidCredentialsError('invalid signature, no keys found');
    }
    if (read.header['alg'] !== 'ES256' || !this.#signer.signed(read)) {
      throw new InvalidCredentialsError('go-jose/go-jose: error in cryptographic primitive');
    }
  }

  #user(claims: Claims): User {
    this.#checkTimes(claims);
    const content = objectAt(claims, 'kubernetes.io');
    const namespace = stringAt(content, 'namespace');
    const name = stringAt(content, 'serviceaccount', 'name');
    this.#bound.check(content);
    const node = objectAt(content, 'node');
    const pod = objectAt(content, 'pod');
    const id = stringAt(claims, 'jti');
    return {
      name: serviceAccountUserName(namespace, name),
      uid: stringAt(content, 'serviceaccount', 'uid'),
      groups: serviceAccountGroups(namespace),
      extra: {
        ...extra('credential-id', id === '' ? '' : `JTI=${id}`),
        ...extra('node-name', stringAt(node, 'name')),
        ...extra('node-uid', stringAt(node, 'uid')),
        ...extra('pod-name', stringAt(pod, 'name')),
        ...extra('pod-uid', stringAt(pod, 'uid')),
      },
    };
  }

  #legacyUser(claims: Claims, token: string): User {
    const account = {
      namespace: stringAt(claims, `${legacyClaim}namespace`),
      name: stringAt(claims, `${legacyClaim}service-account.name`),
      uid: stringAt(claims, `${legacyClaim}service-account.uid`),
    };
    this.#bound.checkLegacy(account, { name: stringAt(claims, `${legacyClaim}secret.name`), token });
    return {
      name: serviceAccountUserName(account.namespace, account.name),
      uid: account.uid,
      groups: serviceAccountGroups(account.namespace),
    };
  }

  #checkTimes({ exp, nbf, iat }: Claims): void {
    const now = this.#seconds();
    if (typeof nbf === 'number' && now + leewaySeconds < nbf) {
      throw new InvalidCredentialsError('service account token is not valid yet');
    }
    if (typeof exp === 'number' && now - leewaySeconds > exp) {
      throw new InvalidCredentialsError('service account token has expired');
    }
    if (typeof iat === 'number' && now + leewaySeconds < iat) {
      throw new InvalidCredentialsError('service account token is issued in the future');
    }
  }

  #seconds(): number {
    return Math.floor(this.#clock.now().getTime() / 1000);
  }
}

function reference({
  metadata: { name, uid },
}: {
  readonly metadata: { readonly name: string; readonly uid?: string };
}): {
  readonly name: string;
  readonly uid?: string;
} {
  return { name, ...(uid === undefined ? {} : { uid }) };
}

function extra(key: string, value: string): Readonly<Record<string, readonly string[]>> {
  return value === '' ? {} : { [`authentication.kubernetes.io/${key}`]: [value] };
}

function quoted(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(' ')}]`;
}
