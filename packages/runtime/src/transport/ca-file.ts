import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Clock } from '@kubewright/api/clock';
import type { Logger } from '../log/logger.js';
import type { CaReload } from './transport-observer.js';

/** So often the file is looked at, when there are requests. */
const RELOAD_AFTER_MS = 60_000;

export interface CaFileOptions {
  readonly file: string;
  /** What it held when the connection was made. */
  readonly initial: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger | undefined;
  readonly onReload: (outcome: CaReload) => void;
}

/**
 * The certificate authorities of a file that is replaced from time to time. What cannot be read, is empty or holds no certificate
 * is told and left out: the last good ones stay.
 */
export class CaFile {
  readonly #options: CaFileOptions;
  #current: string | undefined;
  #readAtMs: number;
  #reading: Promise<void> | undefined;

  constructor(options: CaFileOptions) {
    this.#options = options;
    this.#current = options.initial;
    this.#readAtMs = options.clock.monotonicMs();
  }

  /** The certificates as PEM, not older than a minute. Never rejects. */
  async current(): Promise<string | undefined> {
    if (this.#options.clock.monotonicMs() - this.#readAtMs >= RELOAD_AFTER_MS) {
      this.#reading ??= this.#reload();
      await this.#reading;
    }
    return this.#current;
  }

  async #reload(): Promise<void> {
    const { file, clock, logger, onReload } = this.#options;
    const { outcome, error } = await this.#read();
    this.#readAtMs = clock.monotonicMs();
    this.#reading = undefined;
    onReload(outcome);
    if (outcome === 'changed') logger?.info('the certificate authorities of the API server have changed', { file });
    else if (outcome !== 'unchanged')
      logger?.warn('the file of certificate authorities gave none: those from before stay', { file, outcome, error });
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

/** Throws where there is no certificate, or one that cannot be read: TLS would leave that out without a word. */
function checkCertificates(text: string): void {
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (certificates === null) throw new Error('it holds no certificate as PEM');
  for (const certificate of certificates) void new X509Certificate(certificate);
}
