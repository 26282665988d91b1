import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { Logger, Metrics } from '@kubewright/runtime';
import { ManagedCertificates, type ManagedCertificatesOptions, Transport } from '@kubewright/runtime/internal';
import type { Connection } from '@kubewright/runtime';
import { BASE, INJECTED, NAMESPACE } from './webhook-objects.js';

type RequestOptions = Parameters<Transport['request']>[0];
type KeyPair = Awaited<ReturnType<ManagedCertificates['start']>>;

/** A log line of a replica. */
export interface Line {
  readonly level: string;
  readonly message: string;
  readonly fields: object;
}

/** Records log lines. */
export class LineLogger extends Logger {
  readonly lines: Line[] = [];
  override debug(message: string, fields: object = {}): void {
    this.lines.push({ level: 'debug', message, fields });
  }
  override info(message: string, fields: object = {}): void {
    this.lines.push({ level: 'info', message, fields });
  }
  override warn(message: string, fields: object = {}): void {
    this.lines.push({ level: 'warn', message, fields });
  }
  override error(message: string, fields: object = {}): void {
    this.lines.push({ level: 'error', message, fields });
  }
  override with(): Logger {
    return this;
  }
}

/** The options of a replica in a test. */
export interface ReplicaOptions extends Partial<Omit<ManagedCertificatesOptions, 'injectInto'>> {
  readonly connection: Connection;
  readonly clock: Clock;
  /** The clock of the API server, from which the header Date is set. @default the clock of the replica */
  readonly serverClock?: Clock;
  /** Kills a replica at a write. Several replicas can share the switch. @default no replica is killed */
  readonly kill?: KillSwitch;
  readonly injectInto?: ReturnType<ManagedCertificatesOptions['injectInto']>;
}

/** Counts the writes of all replicas, and kills the replica that makes the n-th write. */
export class KillSwitch {
  readonly #atWrite: number;
  /** Whether the replica is killed before the server executes the write ('unsent'), or before the replica receives the response. */
  readonly when: 'unsent' | 'unanswered';
  #writes = 0;

  constructor(atWrite: number, when: KillSwitch['when']) {
    this.#atWrite = atWrite;
    this.when = when;
  }
  get hasKilled(): boolean {
    return this.#writes >= this.#atWrite;
  }
  /** Counts a write. Returns whether this write kills its replica. */
  count(): boolean {
    return ++this.#writes === this.#atWrite;
  }
}

/** A connection of a replica. Sets the time of the server, and fails all requests after the replica is killed. */
class ReplicaTransport extends Transport {
  readonly #options: ReplicaOptions;
  readonly #onKill: () => void;
  writes = 0;
  isKilled = false;

  constructor(options: ReplicaOptions, onKill: () => void) {
    super(options.connection);
    this.#options = options;
    this.#onKill = onKill;
  }

  override async request<T>(options: RequestOptions): Promise<T> {
    const { kill, serverClock, clock } = this.#options;
    const date = (serverClock ?? clock).now().toUTCString();
    const send = (): Promise<T> =>
      super.request<T>({ ...options, onHeaders: (headers) => options.onHeaders?.({ ...headers, date }) });
    if (this.isKilled) throw dead();
    if (options.method === 'GET') return send();
    this.writes += 1;
    if (kill?.count() !== true) return send();
    this.kill();
    if (kill.when === 'unanswered') await send();
    throw dead();
  }
  kill(): void {
    this.isKilled = true;
    this.#onKill();
  }
}

function dead(): KubewrightError {
  return new KubewrightError('REQUEST_FAILED', 'the replica was killed');
}

/** A replica of the operator: its certificates, its log, and the key pair that it serves. */
export class Replica implements AsyncDisposable {
  readonly certificates: ManagedCertificates;
  readonly logger = new LineLogger();
  readonly metrics = new Metrics();
  readonly transport: Transport;
  /** Resolves when the replica was killed. */
  readonly killed: Promise<void>;
  readonly #replicaTransport: ReplicaTransport;
  /** All key pairs that the replica has served, with the current key pair at the end. */
  readonly served: KeyPair[] = [];

  constructor(options: ReplicaOptions) {
    const { connection, clock, serverClock, kill, injectInto = INJECTED, ...rest } = options;
    let onKill = (): void => undefined;
    this.killed = new Promise((resolve) => (onKill = resolve));
    this.#replicaTransport = new ReplicaTransport(
      { connection, clock, ...(serverClock && { serverClock }), ...(kill && { kill }) },
      onKill,
    );
    this.transport = this.#replicaTransport;
    this.certificates = new ManagedCertificates(
      { name: BASE, namespace: NAMESPACE, injectInto: () => injectInto, ...rest },
      { transport: () => Promise.resolve(this.transport), clock, logger: this.logger, metrics: this.metrics },
    );
    this.certificates.onChange((keyPair) => this.served.push(keyPair));
  }

  get isKilled(): boolean {
    return this.#replicaTransport.isKilled;
  }
  /** Kills the replica: all its later requests fail. */
  kill(): void {
    this.#replicaTransport.kill();
  }
  /** The number of write requests. */
  get writes(): number {
    return this.#replicaTransport.writes;
  }
  /** The messages of the log with the given levels. */
  messages(...levels: readonly string[]): readonly string[] {
    return this.logger.lines.filter(({ level }) => levels.includes(level)).map(({ message }) => message);
  }
  async start(): Promise<void> {
    await this.certificates.start(AbortSignal.timeout(30_000));
  }
  /** Resolves when no check runs, and no check is due. */
  async idle(): Promise<void> {
    while (this.certificates.isChecking && !this.isKilled) await Promise.race([this.#nextActivity(), this.killed]);
  }
  /** Resolves when a condition holds. Evaluates the condition each time a check begins or ends. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await this.#nextActivity();
  }
  #nextActivity(): Promise<void> {
    return new Promise((resolve) => {
      const remove = this.certificates.onActivity(() => {
        remove();
        resolve();
      });
    });
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.certificates[Symbol.asyncDispose]();
    await this.transport.close();
  }
}
