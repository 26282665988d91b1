import { Transport } from '../transport/sending/transport.js';
import type { KubeObject } from '@kubewright/api';
import { CutParser } from '../cache/parsing/object-parser.js';
import { SharingParser } from '../cache/parsing/sharing-parser.js';
import { SharedValues } from '../cache/parsing/sharing-reader.js';
import { ObjectSource } from '../cache/reflector/object-source.js';
import type { Transform } from '../cache/store/transform.js';
import { Reflector, type ReflectorOptions, type ReflectorTarget } from '../cache/reflector/reflector.js';
import type { ReflectorState, ReflectorStatus } from '../cache/reflector/reflector-status.js';
import { ManualClock } from './manual-clock.js';
import { RecordingLogger } from './recording-logger.js';
import { ScriptedServer } from './scripted-server.js';

/** Returns a ConfigMap as a server would return it. */
export function configMap(name: string, resourceVersion: string, more: object = {}): KubeObject {
  const metadata = {
    name,
    namespace: 'default',
    uid: `uid-${name}`,
    resourceVersion,
    creationTimestamp: '2030-01-01T00:00:00Z',
  };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...metadata, ...(more as { metadata?: object }).metadata },
    ...without(more),
  };
}

function without(more: object): object {
  const { metadata: _, ...rest } = more as { metadata?: object };
  return rest;
}

export const CONFIG_MAPS = {
  group: '',
  version: 'v1',
  apiVersion: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
} as const;

/** Records the calls of a reflector as text with names and versions. */
class Recorder implements ReflectorTarget<KubeObject> {
  readonly calls: string[] = [];
  /** For each list, whether the reflector reported that the server was restored. */
  readonly setBacks: boolean[] = [];
  readonly objects = new Map<string, KubeObject>();
  readonly onCall: () => void;
  constructor(onCall: () => void) {
    this.onCall = onCall;
  }
  replace(objects: readonly KubeObject[], resourceVersion: string, isSetBack: boolean): void {
    this.setBacks.push(isSetBack);
    this.objects.clear();
    for (const object of objects) this.objects.set(object.metadata.name, object);
    this.#called(`replace ${objects.map(nameAndVersion).join(' ')} @${resourceVersion}`);
  }
  put(object: KubeObject, resourceVersion: string): void {
    this.objects.set(object.metadata.name, object);
    this.#called(`put ${nameAndVersion(object)} @${resourceVersion}`);
  }
  remove(object: KubeObject, resourceVersion: string): void {
    this.objects.delete(object.metadata.name);
    this.#called(`remove ${nameAndVersion(object)} @${resourceVersion}`);
  }
  bookmark(resourceVersion: string): void {
    this.#called(`bookmark @${resourceVersion}`);
  }
  #called(call: string): void {
    this.calls.push(call);
    this.onCall();
  }
}

function nameAndVersion(object: KubeObject): string {
  return `${object.metadata.name}:${object.metadata.resourceVersion}`;
}

export interface BenchOptions extends Partial<Omit<ReflectorOptions<KubeObject>, 'source' | 'target' | 'onStatus'>> {
  readonly transform?: Transform;
}

/** A reflector of ConfigMaps with a scripted server and a manual clock. By default, uses lists without streaming and without jitter. */
export class ReflectorBench implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly logger = new RecordingLogger();
  readonly server: ScriptedServer;
  readonly target: Recorder;
  readonly reflector: Reflector<KubeObject>;
  readonly transport: Transport;
  readonly states: ReflectorState[] = [];
  /** All errors that the status has contained. */
  readonly errors: unknown[] = [];
  readonly stop = new AbortController();
  readonly done: Promise<void>;
  #checks: (() => void)[] = [];

  constructor(server: ScriptedServer, options: BenchOptions = {}) {
    this.server = server;
    this.target = new Recorder(() => this.#check());
    this.transport = new Transport({ server: server.url }, { clock: this.clock, logger: this.logger });
    const { transform, ...rest } = options;
    const source = new ObjectSource<KubeObject>({
      transport: this.transport,
      resource: CONFIG_MAPS,
      parser: transform === undefined ? new SharingParser(new SharedValues(), 0) : new CutParser(),
      transform,
      clock: this.clock,
      logger: this.logger,
    });
    const onStatus = (status: ReflectorStatus): void => this.#noteStatus(status);
    this.reflector = new Reflector<KubeObject>({
      streaming: false,
      random: () => 0,
      ...rest,
      source,
      target: this.target,
      onStatus,
    });
    this.done = this.reflector.run(this.stop.signal);
  }

  static async start(options: BenchOptions = {}): Promise<ReflectorBench> {
    return new ReflectorBench(await ScriptedServer.start(), options);
  }

  /** Resolves when `condition` returns true. Calls `condition` after each call of the target and each change of the status. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (!condition()) return;
        this.#checks = this.#checks.filter((other) => other !== check);
        resolve();
      };
      this.#checks.push(check);
      check();
    });
  }
  /** Resolves when `call` is the last call of the target. */
  reported(call: string): Promise<void> {
    return this.until(() => this.target.calls.at(-1) === call);
  }
  /** Resolves with the state when the reflector is in the state 'waiting' and its timer is pending. */
  async waiting(): Promise<Extract<ReflectorState, { readonly name: 'waiting' }>> {
    await this.until(() => this.reflector.status.state.name === 'waiting');
    const state = this.reflector.status.state as Extract<ReflectorState, { readonly name: 'waiting' }>;
    await this.clock.scheduled(state.delayMs);
    return state;
  }
  /** Waits until the reflector is in the state 'waiting', and advances the clock by its delay. Resolves with the delay. */
  async passDelay(): Promise<number> {
    const state = await this.waiting();
    this.clock.advance(state.delayMs);
    await this.until(() => this.reflector.status.state !== state);
    return state.delayMs;
  }
  /**
   * Closes the server while the reflector is in the state 'waiting', and advances the clock by the delay. Later requests therefore fail.
   */
  async passDelayWhileClosed(): Promise<number> {
    await this.waiting();
    await this.server.close();
    return this.passDelay();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop.abort(new DOMException('the test is over', 'AbortError'));
    await this.done;
    await this.transport.close();
    await this.server.close();
  }

  #noteStatus(status: ReflectorStatus): void {
    if (this.states.at(-1) !== status.state) this.states.push(status.state);
    if (status.lastError !== undefined && this.errors.at(-1) !== status.lastError) this.errors.push(status.lastError);
    this.#check();
  }
  #check(): void {
    const checks = [...this.#checks];
    for (const check of checks) check();
  }
}
