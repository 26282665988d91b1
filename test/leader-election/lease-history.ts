import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { Lease } from '@kubewright/api/coordination/v1';
import { isAborted } from '@kubewright/api/errors';
import type { Connection } from '@kubewright/runtime';
import { Transport } from '@kubewright/runtime/internal';

const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';

/** The holders of a Lease, in the order in which the server reported the holders. */
export class LeaseHistory implements AsyncDisposable {
  readonly #transport: Transport;
  readonly #name: string;
  readonly #ending = new AbortController();
  readonly #holders: { readonly identity: string; readonly transitions: number }[] = [];
  readonly #waiting = new Set<() => void>();
  #following: Promise<void> = Promise.resolve();

  private constructor(transport: Transport, name: string) {
    this.#transport = transport;
    this.#name = name;
  }

  /** Follows a Lease that does not exist yet. */
  static async follow(connection: Connection, name: string): Promise<LeaseHistory> {
    const transport = new Transport(connection);
    const history = new LeaseHistory(transport, name);
    const { metadata } = await transport.request<{ metadata: { resourceVersion: string } }>({
      method: 'GET',
      path: leases,
    });
    history.#following = history.#follow(metadata.resourceVersion);
    return history;
  }

  /** Each holder with the number of transitions of the Lease, as reported so far. */
  get holders(): readonly { readonly identity: string; readonly transitions: number }[] {
    return this.#holders;
  }

  /** Resolves when the server has reported this holder. */
  seen(identity: string): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (!this.#holders.some((holder) => holder.identity === identity)) return;
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
      check();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort(new DOMException('followed to the end', 'AbortError'));
    await this.#following;
    await this.#transport.close();
  }

  async #follow(resourceVersion: string): Promise<void> {
    const query = { watch: true, resourceVersion, fieldSelector: `metadata.name=${this.#name}`, timeoutSeconds: 3600 };
    try {
      const stream = await this.#transport.stream({ path: leases, query, signal: this.#ending.signal });
      for await (const line of createInterface({ input: Readable.from(stream) })) {
        this.#note((JSON.parse(line) as { readonly object: Lease }).object);
      }
    } catch (error) {
      if (!isAborted(error)) throw error;
    }
  }
  #note({ spec }: Lease): void {
    const { holderIdentity: identity = '', leaseTransitions: transitions = 0 } = spec;
    if (identity !== '' && this.#holders.at(-1)?.identity !== identity) this.#holders.push({ identity, transitions });
    for (const check of this.#waiting) check();
  }
}
