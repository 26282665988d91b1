import { type InMemorySpanExporter } from '@opentelemetry/sdk-trace-base';
import { Secret } from '@kubewright/api/core/v1';
import { TerminalError } from '@kubewright/api/errors';
import { Event } from '@kubewright/api/events/v1';
import {
  Client,
  Controller,
  EventRecorder,
  type Plan,
  PinoLogger,
  type ReconcileContext,
  type Reconciler,
  type Result,
  withLevelsOf,
} from '@kubewright/runtime';
import { SilentLogger } from '@kubewright/runtime/internal';
import { TestEnvironment } from '@kubewright/testing';
import { pino } from 'pino';
import { Door } from './door.js';
import { SPECIAL, PLAIN } from './forms.js';

const CREDENTIALS = { namespace: 'default', name: 'credentials' };
/** The text that the reconcile of a door outputs, by the name of the door. */
const texts = new Map<string, string>();

const programLines: string[] = [];
const whole = (value: unknown): unknown => value;
/** The pino instance of the program. */
const program = pino(
  { level: 'trace', customLevels: { audit: 35 }, serializers: { door: whole, secret: whole, detail: whole } },
  { write: (line: string) => void programLines.push(line) },
);

/** Reads a Secret, and outputs a text through every channel of a reconciler. */
@Controller({ for: Door, name: 'door', reads: [Secret] })
class DoorController implements Reconciler<Door> {
  constructor(
    private readonly client: Client,
    private readonly events: EventRecorder,
  ) {}

  async reconcile(door: Door, { log }: ReconcileContext): Promise<Result> {
    const text = texts.get(door.metadata.name) ?? '';
    const secret = await this.client.get(Secret, CREDENTIALS);
    const error = new TerminalError(text, { cause: new Error(text) });
    for (const level of ['debug', 'info', 'warn', 'error'] as const) {
      log[level](text, { text, detail: text, door, secret, list: [{ text, secret }], error });
    }
    log.with({ text }).info('a child', { spec: door.spec, data: { ...secret.data } });
    withLevelsOf(log, program).child({ text }).audit(text, { text, detail: text, door, secret, error });
    this.events.warning(door, 'Reported', text, { annotations: { text } });
    throw error;
  }
}

/** The outputs of one reconcile, by channel. */
export interface DoorOutputs {
  readonly ownLog: string;
  readonly pinoLog: string;
  readonly events: string;
  readonly conditions: string;
  readonly spans: string;
  readonly plan: Plan;
}

/** An operator with two managers: one with its own logger, and one with a pino instance of the program. */
export class DoorRuns implements AsyncDisposable {
  readonly #env: TestEnvironment;
  readonly #lines: Readonly<Record<'own' | 'pino', string[]>>;
  readonly #spans: InMemorySpanExporter;
  readonly #outputs = new Map<string, Promise<DoorOutputs>>();

  private constructor(
    env: TestEnvironment,
    lines: Readonly<Record<'own' | 'pino', string[]>>,
    spans: InMemorySpanExporter,
  ) {
    this.#env = env;
    this.#lines = lines;
    this.#spans = spans;
  }

  static async start(spans: InMemorySpanExporter): Promise<DoorRuns> {
    const env = await TestEnvironment.start({ kinds: [Door] });
    const data = { dsn: Buffer.from(PLAIN).toString('base64') };
    await env.client.create(new Secret({ metadata: CREDENTIALS, data }));
    const lines = { own: [] as string[], pino: programLines };
    const own = await PinoLogger.create({
      level: 'debug',
      format: 'json',
      destination: { write: (line) => void lines.own.push(line) },
    });
    for (const logger of [own, program]) await env.manager({ logger }).add(DoorController).start();
    return new DoorRuns(env, lines, spans);
  }

  /**
   * Reconciles a door. The reconciler writes `text` to all outputs. Returns these outputs. For a repeated text, returns the outputs of the
   * first run.
   */
  outputsOf(text: string): Promise<DoorOutputs> {
    const outputs = this.#outputs.get(text) ?? this.#run(text);
    this.#outputs.set(text, outputs);
    return outputs;
  }

  async #run(text: string): Promise<DoorOutputs> {
    const name = `run-${texts.size}`;
    texts.set(name, text);
    const door = await this.#env.client.create(
      new Door({ metadata: { name, namespace: 'default' }, spec: { pin: SPECIAL } }),
    );
    const { status } = await this.#env.until(door, (now) => now.status?.conditions?.[0]?.status === 'False');
    const event = await this.#eventOn(name);
    await this.#env.settled();
    const about = `Door default/${name}`;
    const linesOf = (lines: readonly string[]): string => lines.filter((line) => line.includes(`"${about}"`)).join('');
    const manager = this.#env.manager({ logger: new SilentLogger() }).add(DoorController);
    const spansOf = this.#spans
      .getFinishedSpans()
      .filter(({ attributes }) => attributes['kubewright.object'] === about)
      .map(({ attributes, events, status: ended }) => ({ attributes, events, ended }));
    return {
      ownLog: linesOf(this.#lines.own),
      pinoLog: linesOf(this.#lines.pino),
      events: JSON.stringify(event),
      conditions: JSON.stringify(status),
      spans: JSON.stringify(spansOf),
      plan: await manager.plan({ controller: 'door', key: { namespace: 'default', name } }),
    };
  }
  async #eventOn(name: string): Promise<object> {
    const ended = new AbortController();
    for await (const { object } of this.#env.client.live.watch(Event, { signal: ended.signal })) {
      if (object.regarding?.name !== name || object.reason !== 'Reported') continue;
      ended.abort();
      return object;
    }
    throw new Error(`the watch ended before the event on ${name}`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#env[Symbol.asyncDispose]();
  }
}
