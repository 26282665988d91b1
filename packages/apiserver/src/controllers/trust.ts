import type { ServiceAccountTokens } from '../authentication/service-account-tokens.js';

/** The certificate authority and the tokens for trust between the server and the workloads of the cluster. */
export interface Trust {
  /** The certificate authority of the server's certificate, as PEM. */
  readonly certificateAuthority: string;
  readonly tokens: ServiceAccountTokens;
}
