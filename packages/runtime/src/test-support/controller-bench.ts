import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { type Condition, defineKind, type KindRef, type KubeObject, type ObjectKey } from '@kubewright/api';
import { currentScope } from '../client/scope/reconcile-scope.js';
import { kindOf } from '@kubewright/api/metadata';
import type { ControllerDependencies } from '../controller/runs/controller-dependencies.js';
import type { ControllerOptions } from '../controller/options/controller-options.js';
import { ControllerRunner } from '../controller/controller-runner.js';
import type { Reconciler } from '../controller/reconciler/reconciler.js';
import type { ReconcileContext } from '../controller/reconciler/reconcile-context.js';
import { resolveControllerOptions } from '../controller/options/resolved-options.js';
import { Result } from '../controller/reconciler/result.js';
import { Metrics } from '../metrics/metrics.js';
import { EventRecorder } from '../events/event-recorder.js';
import { ManualClock } from './manual-clock.js';
import { ObjectTable } from './object-table.js';
import { RecordingLogger } from './recording-logger.js';

const conditions = { type: 'array', items: { type: 'object', properties: { type: { type: 'string' } } } } as const;
export const Machine = defineKind<
  { readonly image?: string; readonly disk?: string },
  { readonly conditions?: readonly never[]; readonly observedGeneration?: number }
>({
  group: 'test.dev',
  version: 'v1',
  kind: 'Machine',
  spec: { type: 'object', properties: { image: { type: 'string' }, disk: { type: 'string' } } },
  status: { type: 'object', properties: { conditions, observedGeneration: { type: 'integer' } } },
});
export const Disk = defineKind({ group: 'test.dev', version: 'v1', kind: 'Disk', spec: { type: 'object' } });

export interface MachineObject extends KubeObject {
  readonly spec: { readonly image?: string; readonly disk?: string };
  readonly status?: { readonly observedGeneration?: number | undefined; readonly conditions?: readonly Condition[] };
}

export function machine(
  name: string,
  spec: MachineObject['spec'] = {},
  metadata: Partial<KubeObject['metadata']> = {},
): MachineObject {
  const meta = { name, namespace: 'default', uid: '', resourceVersion: '', creationTimestamp: '', ...metadata };
  return { apiVersion: 'test.dev/v1', kind: 'Machine', metadata: meta, spec };
}
export function disk(name: string, metadata: Partial<KubeObject['metadata']> = {}): KubeObject {
  const meta = { name, namespace: 'default', uid: '', resourceVersion: '', creationTimestamp: '', ...metadata };
  return { apiVersion: 'test.dev/v1', kind: 'Disk', metadata: meta };
}

export class RecordedEvents extends EventRecorder {
  readonly recorded: string[] = [];
  override normal(_object: KubeObject, reason: string, message: string): void {
    this.recorded.push(`Normal ${reason}: ${message}`);
  }
  override warning(_object: KubeObject, reason: string, message: string): void {
    this.recorded.push(`Warning ${reason}: ${message}`);
  }
}
export interface Written {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
}

export type Options = Partial<ControllerOptions<KubeObject>>;
export type Reconcile = Reconciler<KubeObject>['reconcile'];

export async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}
/** Returns the dependencies of a controller of machines that reads in-memory tables. Conditions are discarded. */
export function benchDependencies({
  machines,
  disks,
  clock,
  logger,
}: {
  readonly machines: ObjectTable;
  readonly disks: ObjectTable;
  readonly clock: ManualClock;
  readonly logger: RecordingLogger;
}): Omit<ControllerDependencies, 'reconciler'> {
  const tables = new Map<unknown, ObjectTable>([
    [Machine, machines],
    [Disk, disks],
  ]);
  return {
    informers: { acquire: async (kind) => tables.get(kind) as never },
    reader: { get: async () => assert.fail(), find: async () => undefined, list: async () => [] },
    live: {
      get: async () => assert.fail(),
      find: async (kind: KindRef, key: ObjectKey) =>
        (kindOf(kind).kind === 'Disk' ? disks : machines).get(key) as never,
      list: async () => [],
    },
    conditions: { patchStatus: async (object) => object },
    patch: async (object, operations) => machines.patchFinalizers(object, operations),
    isNamespaced: async () => true,
    served: {
      isServed: async () => true,
      follow: async () => ({ isServed: true, doubt: () => undefined, [Symbol.dispose]: () => undefined }),
    },
    events: new RecordedEvents(),
    clock,
    logger,
    metrics: new Metrics(),
    onActivity: () => undefined,
    onFatal: () => undefined,
    random: () => 0,
  };
}
/** Creates a controller that reads and writes in-memory tables, with a manual clock. */
export async function setUp(
  reconciler: Reconcile | Reconciler<KubeObject>,
  options: Options = {},
  overrides: Partial<ControllerDependencies> = {},
) {
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const events = new RecordedEvents();
  const machines = new ObjectTable();
  const disks = new ObjectTable();
  const written: Written[] = [];
  const fatal: unknown[] = [];
  const settings = { for: Machine as unknown as ControllerOptions<KubeObject>['for'], name: 'machine', ...options };
  const runner = await ControllerRunner.open(resolveControllerOptions(settings), {
    reconciler: typeof reconciler === 'function' ? { reconcile: reconciler } : reconciler,
    ...benchDependencies({ machines, disks, clock, logger }),
    conditions: {
      patchStatus: async (object, edit, { observed = true } = {}) => {
        const current = (machines.get(object.metadata) ?? object) as MachineObject;
        const status = structuredClone(current.status ?? {}) as { conditions?: Condition[] };
        edit(status);
        const { generation } = object.metadata;
        const stamped = observed && generation !== undefined ? { observedGeneration: generation } : {};
        const next = { ...current.status, ...status, ...stamped };
        if (isDeepStrictEqual(next, current.status ?? {})) return object;
        const stored = machines.put({ ...current, status: next } as KubeObject);
        written.push(...(status.conditions ?? []));
        currentScope()?.onWrite?.({ verb: 'patch', subresource: 'status', object: stored }, { body: { status } });
        return stored;
      },
    },
    events,
    onFatal: (error) => void fatal.push(error),
    ...overrides,
  });
  await runner.synced(new AbortController().signal);
  runner.start();
  const advance = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await settle();
  };
  return { runner, clock, logger, events, machines, disks, written, fatal, settle, advance };
}
/** Returns a reconciler that records the name of the object and passes the number of the call for this object to `reconcile`. */
export function counted(
  reconcile: (call: number, object: KubeObject, context: ReconcileContext) => Result | Promise<Result>,
) {
  const calls: string[] = [];
  const counts = new Map<string, number>();
  const run: Reconcile = async (object, context) => {
    const { name } = object.metadata;
    calls.push(name);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return reconcile(counts.get(name) ?? 0, object, context);
  };
  return { calls, run };
}
export const done = (): Result => Result.done();
