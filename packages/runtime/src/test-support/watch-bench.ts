import assert from 'node:assert/strict';
import type { KubeObject } from '@kubewright/api';
import type { ControllerDependencies } from '../controller/runs/controller-dependencies.js';
import type { ControllerOptions } from '../controller/options/controller-options.js';
import { ControllerRunner } from '../controller/controller-runner.js';
import { resolveControllerOptions } from '../controller/options/resolved-options.js';
import { Result } from '../controller/reconciler/result.js';
import { benchDependencies, Machine, settle } from './controller-bench.js';
import { ManualClock } from './manual-clock.js';
import { ObjectTable } from './object-table.js';
import { RecordingLogger } from './recording-logger.js';

type Options = Partial<ControllerOptions<KubeObject>>;

/** The initial objects of the tables, and how the controller differs from the default. */
export interface WatchBenchOptions {
  readonly machines?: readonly KubeObject[];
  readonly disks?: readonly KubeObject[];
  /** Whether the reconciled kind is namespaced. @default true */
  readonly namespaced?: boolean;
  /** Whether the controller reconciles keys. @default false */
  readonly byKey?: boolean;
  readonly dependencies?: Partial<ControllerDependencies>;
}

/** A controller of machines that reads in-memory tables. It reconciles nothing before `start`, so that a test can inspect the queue. */
export class WatchBench {
  readonly clock = new ManualClock();
  readonly logger = new RecordingLogger();
  readonly machines = new ObjectTable();
  readonly disks = new ObjectTable();
  /** The names of the reconciled machines, in the order of the reconciles. */
  readonly calls: string[] = [];
  /** The causes of the reconciles as text. */
  readonly causes: string[] = [];
  #runner: ControllerRunner | undefined;

  static async open(options: Options, given: WatchBenchOptions = {}): Promise<WatchBench> {
    const bench = new WatchBench();
    for (const object of given.machines ?? []) bench.machines.put(object);
    for (const object of given.disks ?? []) bench.disks.put(object);
    const kind = { for: Machine as unknown as ControllerOptions<KubeObject>['for'] };
    const settings = {
      ...(given.byKey !== true && kind),
      name: 'machine',
      ...options,
    } as ControllerOptions<KubeObject>;
    bench.#runner = await ControllerRunner.open(resolveControllerOptions(settings), bench.#dependencies(given));
    return bench;
  }

  get runner(): ControllerRunner {
    assert.ok(this.#runner);
    return this.#runner;
  }
  /** The number of ready keys for each priority. */
  get ready(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.runner.stats().queue.depthByPriority);
  }
  /** The logged errors with their messages. */
  get errors(): readonly string[] {
    const errors = this.logger.lines.filter(({ level }) => level === 'error');
    return errors.map(({ message, fields }) => `${message}: ${String(fields.error)}`);
  }
  async sync(): Promise<void> {
    await this.runner.synced(new AbortController().signal);
  }
  /** Reconciles the queued keys. Returns the names of the reconciled machines, in the order of the reconciles. */
  async start(): Promise<readonly string[]> {
    await this.sync();
    this.runner.start();
    await settle();
    return this.calls;
  }
  /** Returns the names of the machines that were reconciled since the last call. */
  async reconciled(): Promise<readonly string[]> {
    await settle();
    return this.calls.splice(0);
  }
  async advance(ms: number): Promise<void> {
    this.clock.advance(ms);
    await settle();
  }

  #dependencies(given: WatchBenchOptions): ControllerDependencies {
    const { machines, disks, clock, logger } = this;
    return {
      ...benchDependencies({ machines, disks, clock, logger }),
      reconciler: {
        reconcile: async ({ metadata }, { causes }) => {
          this.calls.push(metadata.name);
          this.causes.push(...causes.map(({ kind, source = '' }) => `${kind} ${source}`));
          return Result.done();
        },
      },
      isNamespaced: async () => given.namespaced ?? true,
      ...given.dependencies,
    };
  }
}
