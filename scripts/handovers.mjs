// npm run handovers -- [--count 200]: runs two replicas of an operator and an API server, each in its own process, and repeatedly blocks
// the leader until the other replica becomes the leader. Fails if a leader-only write of a former leader reaches the server.
import { parseArgs } from 'node:util';
import { showHelp } from './help.mjs';
import { setUp } from './setup.mjs';

showHelp(`npm run handovers -- [--count N]

Runs two replicas of an operator. Blocks the leader until the other replica becomes the leader, alternately by a busy loop and by SIGSTOP.
Fails if a leader-only write of a former leader reaches the server.

Options:
  --count N   number of handovers (default: 200)
  -h, --help  print this help`);

setUp();
const { values } = parseArgs({ options: { count: { type: 'string', default: '200' } } });
const count = Number(values.count);
if (!Number.isInteger(count) || count < 1) {
  console.error('--count is not a positive integer; use npm run handovers -- --count 200');
  process.exitCode = 1;
} else {
  const { runHandovers } = await import('../test/dist/leader-election/handovers.js');
  const { handovers, writes, refused, byOthers, gapsMs, violations } = await runHandovers(count, console.log);
  for (const violation of violations) console.log(`VIOLATION: ${violation}`);
  const sorted = gapsMs.toSorted((a, b) => a - b);
  console.log(
    `${handovers} handovers, ${writes} leader-only writes, ${violations.length} of them while another replica was the leader; ${refused.reduce((sum, each) => sum + each, 0)} writes rejected, at least ${Math.min(...refused)} in each handover; ${byOthers} writes of standby replicas by components that run on every replica; from the last write of a leader to the next leader: at least ${Math.round(sorted[0])} ms, median ${Math.round(sorted[Math.floor(sorted.length / 2)])} ms`,
  );
  process.exitCode = violations.length === 0 && Math.min(...refused) > 0 ? 0 : 1;
}
