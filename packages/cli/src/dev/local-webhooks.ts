import type { KeyPair } from '@kubewright/runtime';

/** The address and the certificate with which an operator serves its webhooks on this machine. */
export interface LocalWebhooks {
  /** The address on which the operator listens. Undefined for all addresses of this machine. */
  readonly host: string | undefined;
  readonly port: number;
  readonly keyPair: KeyPair;
}
