// node contending.js --kubeconfig FILE --name LEASE --identity NAME …: competes for one Lease like the managers of Kubewright. Reports on
// stdout when it becomes the leader, acts as the leader and stops, with the monotonic time of the machine. After it loses the Lease, it
// competes again with another identity.
import { parseArgs } from 'node:util';
import { type Duration, SystemClock } from '@kubewright/api/clock';
import { isAborted } from '@kubewright/api/errors';
import { LeaderElection, resolveLeaderElection } from '@kubewright/runtime';
import { loadConnection, Transport } from '@kubewright/runtime/internal';
import { quietLogger } from './quiet-logger.js';
import type { Report } from './report.js';

/** Interval in milliseconds at which a leader does leader-only work. */
const actPeriodMs = 20;

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    kubeconfig: text,
    namespace: text,
    name: text,
    identity: text,
    duration: text,
    'renew-deadline': text,
    'retry-period': text,
    release: { type: 'boolean' },
  },
});
const clock = new SystemClock();
const logger = quietLogger.keeping((message, { error }) => {
  process.stderr.write(`${message}: ${String(error)}\n`);
});
const transport = new Transport(await loadConnection({ kubeconfig: values.kubeconfig }), { clock, logger });
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort(new DOMException('asked to stop', 'AbortError')));
// Ends this process when the parent process ends.
process.stdin.on('end', () => process.exit(1)).resume();

for (let term = 1; !stopping.signal.aborted; term++) await contend(`${values.identity}-${term}`);
await transport.close();
process.exit(0);

async function contend(identity: string): Promise<void> {
  const options = resolveLeaderElection({
    name: values.name ?? '',
    namespace: values.namespace ?? 'default',
    identity,
    duration: (values.duration ?? '15s') as Duration,
    renewDeadline: (values['renew-deadline'] ?? '10s') as Duration,
    retryPeriod: (values['retry-period'] ?? '2s') as Duration,
    releaseOnStop: values.release ?? false,
  });
  await using election = new LeaderElection(options, { transport, clock, logger });
  try {
    await election.acquire(stopping.signal);
  } catch (error) {
    if (isAborted(error)) return;
    throw error;
  }
  say({ what: 'lead', identity, atMs: nowMs() });
  const work = setInterval(() => {
    const atMs = nowMs();
    if (election.isLeader) say({ what: 'act', identity, atMs });
  }, actPeriodMs);
  const requested = new Promise<'stop'>((resolve) => {
    if (stopping.signal.aborted) resolve('stop');
    stopping.signal.addEventListener('abort', () => resolve('stop'), { once: true });
  });
  const what = await Promise.race([election.lost.then(() => 'lost' as const), requested]);
  clearInterval(work);
  say({ what, identity, atMs: nowMs() });
}

/** Returns the monotonic time of the machine, which is the same for all processes. */
function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
function say(report: Report): void {
  process.stdout.write(`${JSON.stringify(report)}\n`);
}
