import type { ServiceAccountTokens } from '../../authentication/service-account-tokens.js';

/** The dependencies of the controllers that publish the certificate authority and create the tokens of Secrets. */
export interface Trust {
  /** The certificate authority of the server's certificate, as PEM. */
  readonly certificateAuthority: string;
  readonly tokens: ServiceAccountTokens;
}
