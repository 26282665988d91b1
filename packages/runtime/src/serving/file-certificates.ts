import type { Clock } from '@kubewright/api/clock';
import type { Logger } from '../log/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import { type CertificateFiles, CertificateWatcher } from './certificate-watcher.js';
import type { KeyPair } from './key-pair.js';
import type { ServingCertificates } from './serving-certificates.js';

/** Provides a certificate from files, and reads the files again every 10 s. */
export class FileCertificates implements ServingCertificates {
  readonly #watcher: CertificateWatcher;
  readonly #listeners = new Set<(keyPair: KeyPair) => void>();

  constructor(
    files: CertificateFiles,
    using: { readonly clock: Clock; readonly logger: Logger; readonly metrics: Metrics },
  ) {
    this.#watcher = new CertificateWatcher(files, using);
  }

  /** Reads the files. Rejects with INVALID_CERTIFICATE if the files are missing or not valid. */
  async start(signal: AbortSignal): Promise<KeyPair> {
    const first = await this.#watcher.read();
    signal.throwIfAborted();
    this.#watcher.watch((changed) => {
      for (const listener of this.#listeners) listener(changed);
    });
    return first;
  }
  onChange(listener: (keyPair: KeyPair) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
  async [Symbol.asyncDispose](): Promise<void> {
    this.#watcher[Symbol.dispose]();
  }
}
