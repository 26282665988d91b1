// node handover-operator.js KUBECONFIG IDENTITY RELEASE-FILE: an operator that writes continuously while it is the leader, with every
// available method and with its identity in each write. A line 'busy' or 'stopped' on stdin blocks the operator: it requests writes, blocks
// its event loop in the same turn until the file exists or stops itself with SIGSTOP, and requests more writes. It reports the results of
// the writes on stdout, as lines of JSON.
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ConfigMap, Service } from '@kubewright/api/core/v1';
import { type Client, Manager, RequestLimit, Result } from '@kubewright/runtime';
import { handoverTimes, LEASE } from './handover-report.js';
import { quietLogger } from './quiet-logger.js';

const [kubeconfig = '', identity = '', releaseFile = ''] = process.argv.slice(2);
/** Pause in milliseconds between two rounds of writes. */
const pauseMs = 10;
const namespace = 'default';

const manager = new Manager({
  kubeconfig,
  leaderElection: { name: LEASE, namespace, identity, ...handoverTimes },
  // At any time, some writes wait for the rate limit and some wait for the only connection.
  requestLimit: new RequestLimit({ perSecond: 400, burst: 5 }),
  logger: quietLogger,
  metrics: false,
  health: false,
  settings: false,
});
let written = 0;
let refused = 0;
let block: 'busy' | 'stopped' | undefined;

function say(report: object): void {
  process.stdout.write(`${JSON.stringify(report)}\n`);
}
/** Returns a function that patches a ConfigMap with a captured client. Such a function is not a method of a component. */
const capturing = (client: Client) => (name: string) => async (): Promise<unknown> =>
  client.patch(await client.live.get(ConfigMap, { name, namespace }), (draft) => {
    draft.data = { writer: identity, written: String(++written) };
  });
const byCaptured = capturing(manager.client);
const byLive = capturing(manager.client.with({ reads: 'live' }));
const known = new ConfigMap({ metadata: { name: 'applied', namespace }, data: {} });

/** Starts writes of all kinds without waiting for them. */
function writes(): readonly Promise<unknown>[] {
  const { client } = manager;
  const data = { writer: identity, written: String(++written) };
  const service = new Service({ metadata: { name: 'handover', namespace }, spec: { ports: [{ port: 80 }] } });
  manager.events.normal(known, 'Written', `${identity} ${written}`);
  return [
    client.apply(new ConfigMap({ metadata: { name: 'applied', namespace }, data })),
    client.with({ namespace }).apply(new ConfigMap({ metadata: { name: 'with', namespace }, data })),
    client
      .subresource(service, 'status')
      .patch({ merge: { metadata: { annotations: { writer: identity, written: String(written) } } } }),
    byCaptured('captured')(),
    byLive('live')(),
  ];
}
async function settled(requested: readonly Promise<unknown>[]): Promise<void> {
  for (const each of await Promise.allSettled(requested)) {
    if (each.status === 'rejected' && (each.reason as { readonly code?: string }).code === 'LEADERSHIP_LOST') refused++;
  }
}
/** Blocks the event loop, like garbage collection, a long computation or a suspended machine. */
function blocked(how: 'busy' | 'stopped'): void {
  if (how === 'stopped') process.kill(process.pid, 'SIGSTOP');
  else while (!existsSync(releaseFile));
}

manager.add({
  name: 'writer',
  run: async () => {
    // This work does not end when its signal is aborted. Only the leadership check of each write prevents further writes.
    for (;;) {
      const before = writes();
      const how = block;
      block = undefined;
      if (how === undefined) await settled(before);
      else {
        say({ what: 'blocking' });
        blocked(how);
        await settled([...before, ...writes()]);
        say({ what: 'unblocked', refused });
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  },
});
manager.control({ for: ConfigMap, name: 'reconciling', namespaces: [namespace] }, async (object) => {
  if (object.metadata.name !== 'reconciled') return Result.done();
  await settled([
    manager.client.patch(object, (draft) => {
      draft.data = { writer: identity, written: String(++written) };
    }),
  ]);
  return Result.requeueAfter('1s');
});
manager.add({
  name: 'everywhere',
  leaderOnly: false,
  run: async (signal) => {
    while (!signal.aborted) {
      const data = { everywhere: identity, written: String(++written) };
      await manager.client
        .apply(new ConfigMap({ metadata: { name: `everywhere-${identity}`, namespace }, data }))
        .catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  },
});
createInterface({ input: process.stdin })
  .on('line', (line) => {
    block = line === 'busy' ? 'busy' : 'stopped';
  })
  // Ends this process when the parent process ends.
  .on('close', () => process.exit(1));
manager.stopped.catch(() => undefined);
await manager.start();
say({ what: 'contending' });
