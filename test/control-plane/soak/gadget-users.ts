import { isAlreadyExists, isNotFound } from '@kubewright/api/errors';
import { Transport } from '@kubewright/runtime/internal';
import { randomNumbers, type TestEnvironment } from '@kubewright/testing';

const gadgets = '/apis/soak.example.com/v1/namespaces/default/gadgets';
const configMaps = '/api/v1/namespaces/default/configmaps';

interface Living {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly generation?: number;
    readonly ownerReferences?: readonly { readonly uid: string }[];
  };
  readonly spec?: { readonly revision: number };
  readonly data?: { readonly revision?: string };
  readonly status?: { readonly revision?: number; readonly observedGeneration?: number };
}

/** The users of a fixed number of Gadgets, who continuously change, delete, and recreate the Gadgets. */
export class GadgetUsers implements AsyncDisposable {
  readonly #transport: Transport;
  readonly #names: readonly string[];
  readonly #random: () => number;
  /** Names of the Gadgets that the server has created and that no user has deleted. */
  readonly #promised = new Set<string>();
  #writes = 0;
  #revision = 0;

  constructor(env: TestEnvironment, { objects, seed }: { readonly objects: number; readonly seed: number }) {
    this.#transport = new Transport(env.connection);
    this.#names = Array.from({ length: objects }, (_, at) => `gadget-${at}`);
    this.#random = randomNumbers(seed);
  }

  /** Number of writes that the server accepted. */
  get writes(): number {
    return this.#writes;
  }

  /** Creates all Gadgets. */
  async createAll(): Promise<void> {
    const left = [...this.#names];
    const worker = async (): Promise<void> => {
      for (let name = left.pop(); name !== undefined; name = left.pop()) await this.#create(name);
    };
    await Promise.all(Array.from({ length: 16 }, worker));
  }

  /** Performs the next action of a user: a change, a deletion of a Gadget or of its child, or a creation if the Gadget does not exist. */
  async act(): Promise<void> {
    const name = this.#names[Math.floor(this.#random() * this.#names.length)] ?? '';
    const dice = this.#random();
    if (!this.#promised.has(name)) return this.#create(name);
    if (dice < 0.7) return this.#update(name);
    if (dice < 0.85) return this.#delete(name);
    return this.#deleteChild(name);
  }

  /** Describes the differences from the desired state, one sentence each: lost objects, outdated children or statuses, and orphans. */
  async unmet(): Promise<readonly string[]> {
    const [objects, children] = await Promise.all([this.#list(gadgets), this.#list(configMaps)]);
    const own = children.filter(({ metadata }) => metadata.name.startsWith('gadget-'));
    const childOf = new Map(own.map((child) => [child.metadata.ownerReferences?.[0]?.uid, child]));
    const uids = new Set(objects.map(({ metadata }) => metadata.uid));
    const names = new Set(objects.map(({ metadata }) => metadata.name));
    return [
      ...[...this.#promised].filter((name) => !names.has(name)).map((name) => `${name} was lost`),
      ...objects.flatMap(({ metadata: { name, uid, generation }, spec, status }) => {
        const revision = spec?.revision;
        const child = childOf.get(uid);
        if (child === undefined) return [`${name} has no child`];
        if (child.data?.revision !== String(revision)) return [`the child of ${name} is outdated`];
        const reported = status?.revision === revision && status?.observedGeneration === generation;
        return reported ? [] : [`the status of ${name} is outdated`];
      }),
      ...own
        .filter(({ metadata }) => !uids.has(metadata.ownerReferences?.[0]?.uid ?? ''))
        .map(({ metadata }) => `the child ${metadata.name} is an orphan`),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport.close();
  }

  async #create(name: string): Promise<void> {
    const spec = { revision: this.#revision++, text: 'soak '.repeat(100) };
    const body = { apiVersion: 'soak.example.com/v1', kind: 'Gadget', metadata: { name }, spec };
    await this.#write('POST', gadgets, body).catch((error: unknown) => {
      // An earlier attempt created the object, but the response was lost.
      if (!isAlreadyExists(error)) throw error;
    });
    this.#promised.add(name);
  }
  async #update(name: string): Promise<void> {
    await this.#write('PATCH', `${gadgets}/${name}`, { spec: { revision: this.#revision++ } });
  }
  async #delete(name: string): Promise<void> {
    this.#promised.delete(name);
    await this.#write('DELETE', `${gadgets}/${name}`).catch(ignoreNotFound);
  }
  async #deleteChild(name: string): Promise<void> {
    await this.#write('DELETE', `${configMaps}/${name}`).catch(ignoreNotFound);
  }

  async #write(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<void> {
    const contentType = method === 'PATCH' ? { contentType: 'application/merge-patch+json' } : {};
    await this.#transport.request({ method, path, ...(body !== undefined && { body }), ...contentType });
    this.#writes++;
  }
  async #list(path: string): Promise<readonly Living[]> {
    return (await this.#transport.request<{ readonly items: readonly Living[] }>({ method: 'GET', path })).items;
  }
}

function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
