import type { X509Certificate } from 'node:crypto';
import type { Clock } from '@kubewright/api/clock';
import { Authenticator } from '../authentication/authenticator.js';
import { ServiceAccountTokens } from '../authentication/service-account-tokens.js';
import { TokenSigner } from '../authentication/token-signer.js';
import { Authorizer } from '../authorization/authorizer.js';
import type { ClusterData } from '../registry/cluster-data/cluster-data.js';
import type { User } from '../registry/requests/user.js';
import type { Store } from '../storage/store.js';
import { ClientAuthority } from './certificates/client-authority.js';
import type { ServerKeys } from './certificates/server-keys.js';

/** The authentication and authorization of one server. */
export class ServerAccess {
  readonly authorizer: Authorizer;
  readonly authenticator: Authenticator;
  readonly accountTokens: ServiceAccountTokens;
  readonly clientAuthority: ClientAuthority;

  constructor(options: {
    readonly store: Store;
    readonly data: ClusterData;
    readonly clock: Clock;
    readonly keys: ServerKeys;
    /** The user of each bearer token that does not expire. */
    readonly tokens: Readonly<Record<string, User>>;
    /** The other authorities whose client certificates the server accepts. */
    readonly clientAuthorities: readonly X509Certificate[];
  }) {
    const { store, data, clock, keys, tokens, clientAuthorities } = options;
    this.authorizer = new Authorizer(store, data);
    this.accountTokens = new ServiceAccountTokens(new TokenSigner(() => keys.serviceAccounts), { store, clock });
    this.authenticator = new Authenticator(tokens, this.accountTokens);
    this.clientAuthority = new ClientAuthority(() => keys.clientCertificates, clientAuthorities);
  }
}
