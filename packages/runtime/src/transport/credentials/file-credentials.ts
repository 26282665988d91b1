import { createSecureContext } from 'node:tls';
import type { Clock } from '@kubewright/api/clock';
import type { Logger } from '../../log/logger.js';
import type { ClientCertificate, Credential, CredentialSource } from '../connection/credential-source.js';
import { credentialFileText } from './credential-file.js';

/** The time in milliseconds after which files are read again. Kubernetes clients use a token from a file for at most a minute. */
const REFRESH_AFTER_MS = 50_000;

export interface FileCredentialsOptions {
  readonly tokenFile?: string | undefined;
  /** The token to use without a token file, or until the token file can be read. */
  readonly token?: string | undefined;
  readonly certificateFiles?: { readonly cert: string; readonly key: string } | undefined;
  /** A certificate that is not read from a file. */
  readonly clientCertificate?: ClientCertificate | undefined;
  readonly clock: Clock;
  /** Logs a warning if a file cannot be read. @default no logger */
  readonly logger?: Logger | undefined;
}

/**
 * Reads credentials from files whose content changes. `get` reads the files at the first call, if the last read was at least 50 s ago, and
 * after the server has rejected the credential. Concurrent callers share a read. If a file cannot be read, is empty, or contains a
 * certificate that does not match its key, keeps using the last valid credential.
 */
export class FileCredentials implements CredentialSource {
  readonly #options: FileCredentialsOptions;
  #known: Credential | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<Credential> | undefined;

  constructor(options: FileCredentialsOptions) {
    this.#options = options;
  }

  /**
   * Returns the current credential, or a promise while the files are read. The promise rejects only if the files cannot be read and there
   * is no earlier credential.
   */
  get(): Credential | Promise<Credential> {
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

  /** Calls `read` and returns the result. If `read` fails, logs a warning and returns `last`. Rethrows the error if `last` is undefined. */
  async #or<T>(last: T | undefined, read: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (last === undefined) throw error;
      const message = 'cannot reload credentials; keeping the previous credentials';
      this.#options.logger?.warn(message, { error: (error as Error).message });
      return last;
    }
  }

  async #token(): Promise<string | undefined> {
    const { tokenFile, token } = this.#options;
    if (tokenFile === undefined) return token;
    const read = (await credentialFileText(tokenFile)).trim();
    if (read === '') throw new Error(`${tokenFile} is empty`);
    return read;
  }

  async #certificate(): Promise<ClientCertificate | undefined> {
    const { certificateFiles: files, clientCertificate } = this.#options;
    if (files === undefined) return clientCertificate;
    const [cert, key] = await Promise.all([credentialFileText(files.cert), credentialFileText(files.key)]);
    try {
      createSecureContext({ cert, key });
    } catch {
      // The error of OpenSSL is not used, because it may contain the key.
      throw new Error(`${files.cert} and ${files.key} do not contain a certificate and its key`);
    }
    return { cert, key };
  }
}

function isSame(a: ClientCertificate | undefined, b: ClientCertificate | undefined): boolean {
  return a?.cert === b?.cert && a?.key === b?.key;
}
