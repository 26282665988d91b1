import { AsyncResource } from 'node:async_hooks';
import type { ClientCertificates } from './client-certificates.js';
import type { Exchange } from './exchange.js';
import { InProcessExchange } from './in-process-exchange.js';
import type { InProcessCall, InProcessRequest } from './in-process-request.js';

/** Receives requests of clients in this process, without sockets. */
export class InProcessListener {
  readonly #open = new Set<InProcessExchange>();
  /** The context of the server, so that its work does not run in the context of a client. */
  readonly #context = new AsyncResource('InProcessListener');
  readonly #certificates: ClientCertificates;
  readonly #onRequest: (exchange: Exchange) => void;
  #isClosed = false;

  constructor(options: {
    readonly certificates: ClientCertificates;
    readonly onRequest: (exchange: Exchange) => void;
  }) {
    this.#certificates = options.certificates;
    this.#onRequest = options.onRequest;
  }

  /** Starts a request. */
  open(request: InProcessRequest): InProcessCall {
    const exchange = new InProcessExchange(request, this.#certificates);
    if (this.#isClosed) {
      exchange.close(Object.assign(new Error('the API server is stopped'), { code: 'ECONNREFUSED' }));
      return exchange;
    }
    this.#open.add(exchange);
    exchange.onClose(() => this.#open.delete(exchange));
    this.#context.runInAsyncScope(this.#onRequest, undefined, exchange);
    return exchange;
  }

  /** Disconnects all clients, and continues to accept requests. */
  cutConnections(): void {
    for (const exchange of this.#open) exchange.destroy();
  }

  /** Disconnects all clients, and refuses further requests. */
  close(): void {
    this.#isClosed = true;
    this.cutConnections();
  }
}
