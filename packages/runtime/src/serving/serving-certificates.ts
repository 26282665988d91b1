import type { KeyPair } from './key-pair.js';

/** A source of the serving certificate of a server. The source can replace the certificate while the server runs. */
export interface ServingCertificates extends AsyncDisposable {
  /** Provides the first key pair. Rejects if `signal` is aborted. */
  start(signal: AbortSignal): Promise<KeyPair>;
  /** Calls the listener with each new key pair. Returns a function that removes the listener. */
  onChange(listener: (keyPair: KeyPair) => void): () => void;
}
