import type { KubeObject } from '@kubewright/api';
import type { Change } from '../cache/store/change.js';
import { SharedInformer } from '../cache/informer/shared-informer.js';
import { labelMatcher } from '../cache/store/label-match.js';
import type { ListOptions } from '../cache/store/list-options.js';
import { CutParser } from '../cache/parsing/object-parser.js';
import { ObjectSource } from '../cache/reflector/object-source.js';
import type { Transform } from '../cache/store/transform.js';
import { Transport } from '../transport/sending/transport.js';
import { ManualClock } from './manual-clock.js';
import { RecordingLogger } from './recording-logger.js';
import { CONFIG_MAPS } from './reflector-bench.js';
import { type Exchange, ScriptedServer } from './scripted-server.js';

/** Returns a short text for a change, such as 'added a:1 initial'. */
export function words(change: Change<KubeObject>): string {
  const { name, resourceVersion } = change.object.metadata;
  const more =
    change.type === 'added' && change.initial ? ' initial' : change.type === 'deleted' && change.stale ? ' stale' : '';
  return `${change.type} ${name}:${resourceVersion}${more}`;
}

/** A handler that records its changes as short texts. */
export class HandlerRecord {
  readonly seen: string[] = [];
  #checks: (() => void)[] = [];

  onChange(change: Change<KubeObject>): void {
    this.#note(words(change));
  }
  onSynced(): void {
    this.#note('synced');
  }
  /** Resolves when this text is the last recorded change. */
  got(last: string): Promise<void> {
    return this.#when(() => this.seen.at(-1) === last);
  }
  /** Resolves when this text was recorded at least `count` times. */
  times(text: string, count: number): Promise<void> {
    return this.#when(() => this.seen.filter((each) => each === text).length >= count);
  }
  #when(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (!isSo()) return;
        this.#checks = this.#checks.filter((other) => other !== check);
        resolve();
      };
      this.#checks.push(check);
      check();
    });
  }
  #note(text: string): void {
    this.seen.push(text);
    const checks = [...this.#checks];
    for (const check of checks) check();
  }
}

/** An informer of ConfigMaps with a scripted server and a manual clock. */
export class InformerBench implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly logger = new RecordingLogger();
  readonly server: ScriptedServer;
  readonly transport: Transport;
  readonly informer: SharedInformer<KubeObject>;
  /** Called when the informer reaches a newer version. */
  onProgress: () => void = () => undefined;

  constructor(
    server: ScriptedServer,
    options: {
      readonly labels?: ListOptions<KubeObject>['labels'];
      readonly namespaces?: readonly string[];
      readonly resyncMs?: number;
      /** Returns numbers from 0 (inclusive) to 1 (exclusive). @default 0 */
      readonly random?: () => number;
      readonly backOff?: { nextMs(): number };
      /** Whether to use streaming lists. @default false */
      readonly streaming?: boolean;
      readonly transform?: Transform;
    } = {},
  ) {
    this.server = server;
    this.transport = new Transport({ server: server.url }, { clock: this.clock });
    const { transport, clock, logger } = this;
    const namespaces = options.namespaces ?? [undefined];
    this.informer = new SharedInformer<KubeObject>({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      scopes: namespaces.map((namespace) => ({
        source: new ObjectSource<KubeObject>({
          transport,
          resource: CONFIG_MAPS,
          namespace,
          parser: new CutParser(),
          transform: options.transform,
          clock,
          logger,
        }),
        isSelected: labelMatcher(options.labels),
      })),
      clock,
      logger,
      resyncMs: options.resyncMs,
      onProgress: () => this.onProgress(),
      reflector: {
        streaming: options.streaming ?? false,
        random: options.random ?? (() => 0),
        backOff: options.backOff,
      },
    });
  }

  static async start(options?: ConstructorParameters<typeof InformerBench>[1]): Promise<InformerBench> {
    return new InformerBench(await ScriptedServer.start(), options);
  }

  /** Starts the informer and responds to the first list. Returns the watch that follows. */
  async listed(resourceVersion: string, objects: readonly KubeObject[]): Promise<Exchange> {
    this.informer.start();
    (await this.server.next()).list(resourceVersion, objects);
    return this.server.next();
  }

  /**
   * Ends a watch with an expired version, advances the clock by the first delay, and responds to the list. Returns the watch that follows.
   */
  async relisted(watch: Exchange, resourceVersion: string, objects: readonly KubeObject[]): Promise<Exchange> {
    watch.errorEvent(410, 'Expired');
    await this.clock.scheduled(800);
    this.clock.advance(800);
    (await this.server.next()).list(resourceVersion, objects);
    return this.server.next();
  }

  /** The names and versions of the stored objects. */
  get stored(): readonly string[] {
    return this.informer.list().map(({ metadata }) => `${metadata.name}:${metadata.resourceVersion}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.informer.close();
    await this.transport.close();
    await this.server.close();
  }
}
