import type { ServerProcess } from '../apiserver-process/server-process.js';
import { LEASE } from './handover-report.js';

/** A commit of the server, with the version that orders all commits. */
interface Commit {
  readonly version: number;
  readonly by: string;
  readonly what: string;
  readonly atMs: number;
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const services = '/api/v1/namespaces/default/services';
const events = '/apis/events.k8s.io/v1/namespaces/default/events';
const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';

/**
 * Follows the commits of the server, and checks them in the order of their versions. A leader-only write is a violation if another replica
 * held the Lease at that version. The result does not depend on any clock.
 */
export class WriteWitness {
  readonly #server: ServerProcess;
  readonly #holders: Commit[] = [];
  readonly #writes: Commit[] = [];
  readonly #everywhere: Commit[] = [];
  readonly #latest = new Map<string, number>();
  readonly #waiting = new Set<() => void>();

  constructor(server: ServerProcess) {
    this.#server = server;
    for (const path of [configMaps, services, events, leases]) void this.#follow(path);
  }

  /** The holder of the Lease, as observed so far. */
  get holder(): string | undefined {
    return this.#holders.at(-1)?.by;
  }
  get writes(): number {
    return this.#writes.length;
  }
  /** Number of writes of components that run on every replica, sent by replicas that did not hold the Lease. */
  get byOthers(): number {
    return this.#everywhere.filter((write) => this.#holderAt(write.version)?.by !== write.by).length;
  }
  /** Checks the condition after each commit. Resolves when the condition holds. */
  until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (!isSo()) return;
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
      check();
    });
  }
  /** Resolves with the identity of the holder, other than `before`, when this holder has written at least `times` times. */
  async writer(times: number, before?: string): Promise<string> {
    const find = (): string | undefined => {
      const { holder } = this;
      if (holder === before || this.#writes.filter(({ by }) => by === holder).length < times) return undefined;
      return holder;
    };
    await this.until(() => find() !== undefined);
    return find() ?? '';
  }

  /** Describes leader-only writes that were committed while another replica held the Lease, after all commits so far were observed. */
  async violations(): Promise<readonly string[]> {
    await this.#caughtUp();
    return this.#writes.flatMap((write) => {
      const holder = this.#holderAt(write.version);
      return holder?.by === write.by
        ? []
        : [
            `${write.by} wrote ${write.what} at version ${write.version}, and ${holder?.by} led since ${holder?.version}`,
          ];
    });
  }
  /**
   * Returns, for each change of the holder, the time since the last write of the previous holder, in milliseconds on this process's clock.
   */
  gapsMs(): readonly number[] {
    return this.#holders.slice(1).flatMap((next, at) => {
      const last = this.#writes.findLast(({ by }) => by === this.#holders[at]?.by);
      return last === undefined ? [] : [next.atMs - last.atMs];
    });
  }

  #holderAt(version: number): Commit | undefined {
    return this.#holders.findLast((holder) => holder.version < version);
  }
  /** Creates one marker object of each kind, and waits until these writes are observed. All earlier commits are then also observed. */
  async #caughtUp(): Promise<void> {
    const probes = [
      [configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'mark-' } }],
      [
        services,
        { apiVersion: 'v1', kind: 'Service', metadata: { generateName: 'mark-' }, spec: { ports: [{ port: 80 }] } },
      ],
      [leases, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { generateName: 'mark-' }, spec: {} }],
      [events, markEvent()],
    ] as const;
    for (const [path, body] of probes) {
      const answer = await this.#server.send('POST', path, body);
      if (answer?.status !== 201) throw new Error(`the server rejected a marker object: ${JSON.stringify(answer)}`);
      const version = Number(answer.body.metadata.resourceVersion);
      await this.until(() => (this.#latest.get(path) ?? 0) >= version);
    }
  }

  async #follow(path: string): Promise<void> {
    for await (const { object } of this.#server.watch(`${path}?watch=true`)) {
      const version = Number(object.metadata.resourceVersion);
      this.#note(path, object, version);
      this.#latest.set(path, version);
      for (const check of this.#waiting) check();
    }
  }
  #note(path: string, object: Seen, version: number): void {
    const { name, annotations } = object.metadata;
    const commit = (by: string): Commit => ({ version, by, what: `${path} ${name}`, atMs: performance.now() });
    if (path === leases) {
      const holder = name === LEASE ? object.spec?.holderIdentity : undefined;
      if (holder && holder !== this.holder) this.#holders.push(commit(holder));
      return;
    }
    const by =
      path === events ? /operator-\d+/.exec(object.note ?? '')?.[0] : (object.data?.writer ?? annotations?.writer);
    const isOurs = path !== events || object.reason === 'Written';
    if (by && isOurs) this.#writes.push(commit(by));
    if (object.data?.everywhere) this.#everywhere.push(commit(object.data.everywhere));
  }
}

interface Seen {
  readonly metadata: { readonly name: string; readonly annotations?: { readonly writer?: string } };
  readonly data?: { readonly writer?: string; readonly everywhere?: string };
  readonly spec?: { readonly holderIdentity?: string };
  readonly note?: string;
  readonly reason?: string;
}

function markEvent(): object {
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { generateName: 'mark-', namespace: 'default' },
    eventTime: new Date().toISOString().replace('Z', '000Z'),
    type: 'Normal',
    reason: 'Mark',
    action: 'Mark',
    reportingController: 'example.com/witness',
    reportingInstance: 'witness',
    regarding: { kind: 'ConfigMap', namespace: 'default', name: 'applied', apiVersion: 'v1' },
  };
}
