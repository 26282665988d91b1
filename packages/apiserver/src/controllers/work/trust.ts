import type { CertificateContent } from '@kubewright/api/certificates';
import type { ServiceAccountTokens } from '../../authentication/service-account-tokens.js';
import type { Attributes } from '../../authorization/attributes.js';

/** The content of a certificate without the values that the issuer adds. */
export type UnsignedCertificate = Omit<CertificateContent, 'serialNumber' | 'issuer' | 'signingKey'>;

/** The dependencies of the controllers that publish the certificate authority, issue tokens and sign certificates. */
export interface Trust {
  /** The certificate authority of the server's certificate, as PEM. */
  readonly certificateAuthority: string;
  readonly tokens: ServiceAccountTokens;
  /** Whether a user has a permission. */
  readonly allows: (attributes: Attributes) => boolean;
  /** Issues a client certificate as PEM. */
  readonly sign: (certificate: UnsignedCertificate) => string;
}
