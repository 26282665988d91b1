import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Clock } from '@kubewright/api/clock';
import type { Logger } from '../log/logger.js';
import type { ClientCertificate, Credential, CredentialSource } from './credential-source.js';

/** Tokens in files are good for a minute; they are read again a little before. */
const REFRESH_AFTER_MS = 50_000;

export interface FileCredentialsOptions {
  readonly tokenFile?: string | undefined;
  /** What is taken as long as the file of the token could never be read. */
  readonly token?: string | undefined;
  readonly certificateFiles?: { readonly cert: string; readonly key: string } | undefined;
  /** A certificate that is in no file. */
  readonly clientCertificate?: ClientCertificate | undefined;
  readonly clock: Clock;
  /** Is told of files that cannot be read. @default nobody is */
  readonly logger?: Logger | undefined;
}

/**
 * Credentials of files that are replaced from time to time: read at first use, then again each 50 seconds and when the server refused
 * them, once for all who wait. A file that cannot be read, is empty, or holds a certificate that does not belong to its key, leaves
 * the last good one as it is.
 */
export class FileCredentials implements CredentialSource {
  readonly #options: FileCredentialsOptions;
  #known: Credential | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<Credential> | undefined;

  constructor(options: FileCredentialsOptions) {
    this.#options = options;
  }

  /** Rejects only while there has never been what the files are to hold. */
  async get(): Promise<Credential> {
    const { clock } = this.#options;
    if (this.#known !== undefined && clock.monotonicMs() - this.#readAtMs < REFRESH_AFTER_MS) return this.#known;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  refused(credential: Credential): void {
    if (this.#known === credential) this.#readAtMs = Number.NEGATIVE_INFINITY;
  }

  async #read(): Promise<Credential> {
    const last = this.#known;
    const [token, clientCertificate] = await Promise.all([
      this.#or(last?.token ?? this.#options.token, () => this.#token()),
      this.#or(last?.clientCertificate, () => this.#certificate()),
    ]);
    this.#readAtMs = this.#options.clock.monotonicMs();
    if (last === undefined || last.token !== token || !isSame(last.clientCertificate, clientCertificate)) {
      this.#known = Object.freeze({
        ...(token === undefined ? {} : { token }),
        ...(clientCertificate === undefined ? {} : { clientCertificate }),
      });
    }
    return this.#known ?? {};
  }

  /** What is read; where that fails, what there was. */
  async #or<T>(last: T | undefined, read: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (last === undefined) throw error;
      const message = 'credentials could not be read again: those from before stay';
      this.#options.logger?.warn(message, { error: (error as Error).message });
      return last;
    }
  }

  async #token(): Promise<string | undefined> {
    const { tokenFile, token } = this.#options;
    if (tokenFile === undefined) return token;
    const read = (await readFile(tokenFile, 'utf8')).trim();
    if (read === '') throw new Error(`${tokenFile} is empty`);
    return read;
  }

  async #certificate(): Promise<ClientCertificate | undefined> {
    const { certificateFiles: files, clientCertificate } = this.#options;
    if (files === undefined) return clientCertificate;
    const [cert, key] = await Promise.all([readFile(files.cert, 'utf8'), readFile(files.key, 'utf8')]);
    try {
      createSecureContext({ cert, key });
    } catch {
      // What OpenSSL says of it may show the key.
      throw new Error(`${files.cert} and ${files.key} do not hold a certificate and its key`);
    }
    return { cert, key };
  }
}

function isSame(a: ClientCertificate | undefined, b: ClientCertificate | undefined): boolean {
  return a?.cert === b?.cert && a?.key === b?.key;
}
