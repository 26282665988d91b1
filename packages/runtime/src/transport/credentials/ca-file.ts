import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Clock } from '@kubewright/api/clock';
import type { Logger } from '../../log/logger.js';
import type { CaReload } from '../request/transport-observer.js';

/** The minimum interval in milliseconds at which the file is read. The file is read only before requests. */
const RELOAD_AFTER_MS = 60_000;

export interface CaFileOptions {
  readonly file: string;
  /** The content of the file when the connection was created. */
  readonly initial: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger | undefined;
  readonly onReload: (outcome: CaReload) => void;
}

/**
 * Reads the certificate authorities from a file whose content can change. If the file cannot be read or does not contain valid
 * certificates, logs a warning and keeps the last valid certificates.
 */
export class CaFile {
  readonly #options: CaFileOptions;
  #current: string | undefined;
  #readAtMs: number;
  #reading: Promise<string | undefined> | undefined;

  constructor(options: CaFileOptions) {
    this.#options = options;
    this.#current = options.initial;
    this.#readAtMs = options.clock.monotonicMs();
  }

  /**
   * Returns the certificates in PEM format, or undefined if the file has not contained certificates yet. If the last read was at least a
   * minute ago, reads the file again and returns a promise. The promise never rejects.
   */
  current(): string | undefined | Promise<string | undefined> {
    if (this.#options.clock.monotonicMs() - this.#readAtMs < RELOAD_AFTER_MS) return this.#current;
    this.#reading ??= this.#reload();
    return this.#reading;
  }

  async #reload(): Promise<string | undefined> {
    const { file, clock, logger, onReload } = this.#options;
    const { outcome, error } = await this.#read();
    this.#readAtMs = clock.monotonicMs();
    this.#reading = undefined;
    onReload(outcome);
    if (outcome === 'changed') logger?.info('the certificate authorities of the API server have changed', { file });
    else if (outcome !== 'unchanged')
      logger?.warn('cannot reload the certificate authorities; keeping the previous certificate authorities', {
        file,
        outcome,
        error,
      });
    return this.#current;
  }

  async #read(): Promise<{ readonly outcome: CaReload; readonly error?: unknown }> {
    let text: string;
    try {
      text = await readFile(this.#options.file, 'utf8');
    } catch (error) {
      return { outcome: 'unreadable', error };
    }
    if (text.trim() === '') return { outcome: 'empty' };
    if (text === this.#current) return { outcome: 'unchanged' };
    try {
      checkCertificates(text);
    } catch (error) {
      return { outcome: 'invalid', error };
    }
    this.#current = text;
    return { outcome: 'changed' };
  }
}

/**
 * Throws an error if the text contains no certificate or an invalid certificate. TLS would ignore invalid certificates without an error.
 */
function checkCertificates(text: string): void {
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (certificates === null) throw new Error('the file contains no PEM certificate');
  for (const certificate of certificates) void new X509Certificate(certificate);
}
