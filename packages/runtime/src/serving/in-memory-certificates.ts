import type { KeyPair } from './key-pair.js';
import { selfSignedCertificate } from './self-signed-certificate.js';
import type { ServingCertificates } from './serving-certificates.js';

/**
 * Provides a self-signed certificate that exists only in memory. For development and tests: `caBundle` is the certificate with which
 * clients verify the server.
 *
 * @example
 * const certificates = new InMemoryCertificates(['127.0.0.1']);
 * const manager = new Manager({ webhooks: { host: '127.0.0.1', port: 0, certificates } });
 */
export class InMemoryCertificates implements ServingCertificates {
  readonly #listeners = new Set<(keyPair: KeyPair) => void>();
  readonly #hosts: readonly string[];
  #keyPair: KeyPair | undefined;

  /** Provides a certificate for host names and IP addresses. Creates the certificate at its first use. */
  constructor(hosts: readonly string[] = ['localhost', '127.0.0.1', '::1']) {
    this.#hosts = hosts;
  }

  /** The certificate in PEM format, with which clients verify the server. */
  get caBundle(): string {
    return this.#current.cert;
  }
  get #current(): KeyPair {
    this.#keyPair ??= selfSignedCertificate(this.#hosts);
    return this.#keyPair;
  }
  /** Replaces the certificate. New connections use the new certificate. */
  rotate(): void {
    this.#keyPair = selfSignedCertificate(this.#hosts);
    for (const listener of this.#listeners) listener(this.#current);
  }
  async start(signal: AbortSignal): Promise<KeyPair> {
    signal.throwIfAborted();
    return this.#current;
  }
  onChange(listener: (keyPair: KeyPair) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
  async [Symbol.asyncDispose](): Promise<void> {
    this.#listeners.clear();
  }
}
