import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineKind } from '@kubewright/api';
import { crdsFor } from '@kubewright/api/metadata';
import { ApiServer } from '@kubewright/apiserver';
import { connect } from '@kubewright/runtime';
import { type Measurement, median } from './measurement.js';
import type { RuntimeReport, RuntimeWork } from './runtime-process.js';

const program = fileURLToPath(new URL('./runtime-process.js', import.meta.url));
const here = dirname(dirname(dirname(dirname(program))));
const gadget = defineKind({ group: 'bench.dev', version: 'v1', kind: 'Gadget', spec: { type: 'object' } });
const buckets = { configmaps: '/configmaps', gadgets: 'bench.dev/gadgets' } as const;
/** Number of objects that the server changes before it yields to its event loop, which sends the watch events. */
const slice = 100;
const rounds = 5;

/** The measurements, in order. The measurements before `events` run without objects in the cluster. */
const plan: readonly {
  readonly measure: RuntimeWork['measure'];
  readonly objects: number;
  readonly figures: Readonly<Record<string, { readonly name: string; readonly unit: string }>>;
}[] = [
  {
    measure: 'import',
    objects: 0,
    figures: {
      cpuMs: { name: 'CPU of a process that imports the package', unit: 'ms' },
      rssMegabytes: { name: 'memory (RSS) of a process that imports the package', unit: 'MB' },
    },
  },
  {
    measure: 'start',
    objects: 0,
    figures: {
      cpuMs: { name: 'CPU of a process until its manager has started', unit: 'ms' },
      rssMegabytes: { name: 'memory (RSS) of a process whose manager has started', unit: 'MB' },
    },
  },
  {
    measure: 'events',
    objects: 5000,
    figures: {
      listMicros: { name: 'CPU per object of the first list', unit: 'µs' },
      objectBytes: { name: 'heap per cached object', unit: 'B' },
      eventMicros: { name: 'CPU per watch event, up to a handler', unit: 'µs' },
    },
  },
  {
    measure: 'reconciles',
    objects: 5000,
    figures: { reconcileMicros: { name: 'CPU per change, up to the end of the reconcile', unit: 'µs' } },
  },
  {
    measure: 'requests',
    objects: 2000,
    figures: {
      getMicros: { name: 'CPU per GET', unit: 'µs' },
      patchMicros: { name: 'CPU per PATCH of an edit', unit: 'µs' },
    },
  },
];

/**
 * Measures the CPU time and the memory that the runtime needs in an operator process. The API server runs in this process. With
 * `--against DIR`, the same measurements alternate with the runtime of another checkout, which must be built. The ratios show what
 * changed since that checkout.
 */
export async function benchRuntime(args: readonly string[]): Promise<readonly Measurement[]> {
  const [flag, folder] = args;
  if (flag !== undefined && (flag !== '--against' || folder === undefined))
    throw new Error(`'${args.join(' ')}' is invalid; usage: npm run bench -- runtime [--against DIR]`);
  const against = folder === undefined ? undefined : resolve(folder);
  const server = await ApiServer.start();
  try {
    await install(server);
    const measurements: Measurement[] = [];
    let filled = 0;
    for (const { measure, objects, figures } of plan) {
      filled = fill(server, { from: filled, to: objects });
      const now: Figures[] = [];
      const before: Figures[] = [];
      for (let round = 0; round < rounds; round += 1) {
        now.push(await run(server, { root: here, measure, objects }));
        if (against !== undefined) before.push(await run(server, { root: against, measure, objects }));
      }
      for (const [key, { name, unit }] of Object.entries(figures)) {
        const of = (list: readonly Figures[]): number => median(list.map((each) => each[key] ?? Number.NaN));
        measurements.push({ name, unit, value: of(now), ...(against !== undefined && { before: of(before) }) });
      }
    }
    return measurements;
  } finally {
    await server.stop();
  }
}

type Figures = Readonly<Record<string, number>>;

function connectionOf({ url, certificateAuthority, token }: ApiServer): RuntimeWork['connection'] {
  return { server: url, ca: certificateAuthority, token };
}

async function install(server: ApiServer): Promise<void> {
  await using cluster = await connect({ connection: connectionOf(server) });
  for (const definition of crdsFor([gadget])) await cluster.client.apply(definition);
}

function fill(server: ApiServer, { from, to }: { readonly from: number; readonly to: number }): number {
  for (let index = from; index < to; index += 1) {
    server.store.create(buckets.configmaps, object('configmaps', index));
    server.store.create(buckets.gadgets, object('gadgets', index));
  }
  return Math.max(from, to);
}

/** Returns an object of typical size, with the metadata that a server sets. */
function object(kind: keyof typeof buckets, index: number) {
  const text = randomUUID();
  const labels = { 'app.kubernetes.io/name': 'bench', 'app.kubernetes.io/instance': `bench-${index}` };
  const metadata = {
    name: `object-${index}`,
    namespace: 'default',
    uid: `uid-${kind}-${index}`,
    generation: index + Date.now(),
    creationTimestamp: '2030-01-01T00:00:00Z',
    labels,
    managedFields: [
      {
        manager: 'bench',
        operation: 'Update',
        apiVersion: 'v1',
        time: '2030-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:text': {}, 'f:filler': {} }, 'f:metadata': { 'f:labels': { '.': {} } } },
      },
    ],
  };
  const content = { text, filler: 'x'.repeat(200) };
  return kind === 'configmaps'
    ? { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: content }
    : { apiVersion: 'bench.dev/v1', kind: 'Gadget', metadata, spec: content };
}

async function changeAll(server: ApiServer, kind: keyof typeof buckets, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    server.store.update(buckets[kind], object(kind, index));
    if (index % slice === slice - 1) await new Promise((resume) => setImmediate(resume));
  }
}

/** Runs one measurement in its own process. */
async function run(server: ApiServer, work: Pick<RuntimeWork, 'root' | 'measure' | 'objects'>): Promise<Figures> {
  const given: RuntimeWork = { ...work, connection: connectionOf(server), passes: rounds };
  const child: ChildProcess = fork(program, [JSON.stringify(given)], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let figures: Figures | undefined;
  child.on('message', (report: RuntimeReport) => {
    if ('figures' in report) ({ figures } = report);
    else void changeAll(server, report.change, work.objects);
  });
  await once(child, 'exit');
  if (figures === undefined) throw new Error(`the process that measures '${work.measure}' of ${work.root} failed`);
  return figures;
}
