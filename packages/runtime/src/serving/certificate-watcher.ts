import { readFile } from 'node:fs/promises';
import type { Clock, Timer } from '@kubewright/api/clock';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import type { Logger } from '../log/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import { checkKeyPair, type KeyPair } from './key-pair.js';

/**
 * The paths of a certificate and its key in PEM format. Kubernetes updates the files of a mounted Secret, so both files are read
 * repeatedly.
 */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

const INTERVAL_MS = 10_000;

/**
 * Reads the files of a certificate every 10 s. Polling detects changes on all file systems, also if a symbolic link is replaced. If the
 * files cannot be read or are not valid, keeps the last certificate and logs the error once.
 */
export class CertificateWatcher implements Disposable {
  readonly #files: CertificateFiles;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  #current: KeyPair | undefined;
  #timer: Timer | undefined;
  #problem: string | undefined;
  #isEnded = false;

  constructor(
    files: CertificateFiles,
    using: { readonly clock: Clock; readonly logger: Logger; readonly metrics: Metrics },
  ) {
    this.#files = files;
    this.#clock = using.clock;
    this.#logger = using.logger;
    this.#metrics = using.metrics;
  }

  /** Reads the files and returns the certificate. Rejects with INVALID_CERTIFICATE. */
  async read(): Promise<KeyPair> {
    const { certificateReads, certificateErrors } = this.#metrics.families;
    const errors = certificateErrors.of();
    certificateReads.of().inc();
    try {
      this.#current = await this.#readFiles();
      return this.#current;
    } catch (error) {
      errors.inc();
      throw error;
    }
  }

  /** Calls `onChange` each time the certificate has changed, until the watcher is disposed of. */
  watch(onChange: (keyPair: KeyPair) => void): void {
    this.#timer = this.#clock.schedule(INTERVAL_MS, () => void this.#look(onChange));
  }

  [Symbol.dispose](): void {
    this.#isEnded = true;
    this.#timer?.cancel();
  }

  async #look(onChange: (keyPair: KeyPair) => void): Promise<void> {
    const before = this.#current;
    try {
      const now = await this.read();
      if (this.#isEnded) return;
      this.#problem = undefined;
      if (now.cert !== before?.cert || now.key !== before.key) {
        onChange(now);
        this.#logger.info('the certificate was reloaded', { file: this.#files.certFile });
      }
    } catch (error) {
      const problem = messageOf(error);
      if (problem !== this.#problem)
        this.#logger.error('cannot reload the certificate; keeping the previous certificate', { error });
      this.#problem = problem;
    }
    if (!this.#isEnded) this.watch(onChange);
  }

  async #readFiles(): Promise<KeyPair> {
    const { certFile, keyFile } = this.#files;
    const cert = await readText(certFile);
    const key = await readText(keyFile);
    checkKeyPair({ cert, key }, `${certFile} and ${keyFile}`);
    return { cert, key };
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new KubewrightError('INVALID_CERTIFICATE', `cannot read certificate file ${file}: ${String(error)}`, {
      cause: error,
    });
  }
}
