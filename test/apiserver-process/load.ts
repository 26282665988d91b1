import type { Answered, ServerProcess } from './server-process.js';

const collection = '/api/v1/namespaces/default/configmaps';

/** The state of an object after its last acknowledged write, and the state that an unanswered write would produce. */
interface Expected {
  readonly acknowledged: string | undefined;
  readonly attempted?: { readonly text: string | undefined };
}

/**
 * Writes objects concurrently and records the writes that the server acknowledged, and the newest resourceVersion in any response or event.
 */
export class Load {
  readonly #random: (below: number) => number;
  readonly #expected = new Map<string, Expected>();
  #newest = 0;
  #count = 0;

  /** @param random returns integers below a bound */
  constructor(random: (below: number) => number) {
    this.#random = random;
  }

  /** Number of acknowledged writes. */
  get acknowledged(): number {
    return this.#count;
  }

  /**
   * Writes until the server is unreachable. Kills the server after the given number of acknowledged writes, while other writes are under
   * way.
   */
  async writeUntilKilled(server: ServerProcess, writes: number): Promise<void> {
    const end = this.#count + writes;
    const watching = this.#watch(server);
    const hands = Array.from({ length: 6 }, async (_, hand) => {
      while (await this.#writeOnce(server, `object-${hand}-${this.#random(5)}`)) {
        if (this.#count >= end) await server.kill();
      }
    });
    await Promise.all([...hands, watching]);
  }

  /**
   * Describes each object that has neither its acknowledged nor its attempted state, each object that no client wrote, and a list whose
   * resourceVersion is older than the newest observed resourceVersion. Later calls treat the states of this list as acknowledged.
   */
  async findLosses(server: ServerProcess): Promise<readonly string[]> {
    const answer = await server.send('GET', collection);
    const found = new Map(answer?.body.items.map((item) => [item.metadata.name, item.data['text']]));
    const losses = [...this.#expected].flatMap(([name, { acknowledged, attempted }]) => {
      const now = found.get(name);
      if (now === acknowledged || (attempted !== undefined && now === attempted.text)) return [];
      return [`${name} is ${shown(now)}, was ${shown(acknowledged)}, and ${shown(attempted?.text)} was attempted`];
    });
    const version = Number(answer?.body.metadata.resourceVersion);
    if (version < this.#newest)
      losses.push(`the resourceVersion is ${version}, but the server acknowledged ${this.#newest}`);
    const strangers = [...found.keys()].filter((name) => name.startsWith('object-') && !this.#expected.has(name));
    for (const name of this.#expected.keys()) this.#expected.set(name, { acknowledged: found.get(name) });
    return [...losses, ...strangers.map((name) => `${name} exists, but no client wrote it`)];
  }

  /** Writes or deletes an object, unless another write of the object is pending. Returns false if the server did not respond. */
  async #writeOnce(server: ServerProcess, name: string): Promise<boolean> {
    const before = this.#expected.get(name)?.acknowledged;
    // An object has one writer at a time.
    if (this.#expected.get(name)?.attempted !== undefined) return true;
    const size = this.#random(20) === 0 ? 400_000 : 100;
    const text =
      before !== undefined && this.#random(5) === 0 ? undefined : `${this.#random(1_000_000)}${'x'.repeat(size)}`;
    this.#expected.set(name, { acknowledged: before, attempted: { text } });
    const answer = await sendWrite(server, { name, existed: before !== undefined, text });
    if (answer === undefined) return false;
    if (answer.status >= 300) throw new Error(`unexpected answer ${JSON.stringify(answer)}`);
    this.#expected.set(name, { acknowledged: text });
    this.#count += 1;
    this.#newest = Math.max(this.#newest, Number(answer.body.metadata.resourceVersion ?? 0));
    return true;
  }

  async #watch(server: ServerProcess): Promise<void> {
    for await (const { object } of server.watch(`${collection}?watch=true`)) {
      this.#newest = Math.max(this.#newest, Number(object.metadata.resourceVersion));
    }
  }
}

function sendWrite(
  server: ServerProcess,
  { name, existed, text }: { readonly name: string; readonly existed: boolean; readonly text: string | undefined },
): Promise<Answered> {
  if (text === undefined) return server.send('DELETE', `${collection}/${name}`);
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text } };
  return existed ? server.send('PUT', `${collection}/${name}`, object) : server.send('POST', collection, object);
}

function shown(text: string | undefined): string {
  return text === undefined ? 'absent' : `${text.slice(0, 30)} (${text.length})`;
}
