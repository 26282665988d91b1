import type { ServiceAccountTokens } from '../authentication/service-account-tokens.js';

/** What those in the cluster are told so that they can trust the server, and it them. */
export interface Trust {
  /** What the server's certificate is checked against, as PEM. */
  readonly certificateAuthority: string;
  readonly tokens: ServiceAccountTokens;
}
