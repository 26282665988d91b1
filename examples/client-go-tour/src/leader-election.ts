// Runs three processes, of which one is the leader. Kills the leader, then stops the next leader; each time another process becomes the
// leader.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Lease } from '@kubewright/api/coordination/v1';
import { connect } from '@kubewright/runtime';

const program = new URL('./candidate.js', import.meta.url);
const candidates = ['anna', 'ben', 'cleo'].map((name) => {
  const child = fork(program, [name]);
  return { name, child, leads: once(child, 'message'), ended: once(child, 'exit') };
});
const waiting = new Set(candidates);

await using cluster = await connect();
const key = { namespace: 'default', name: 'client-go-tour' };
for (const signal of ['SIGKILL', 'SIGTERM', 'SIGTERM'] as const) {
  const leader = await Promise.race([...waiting].map((candidate) => candidate.leads.then(() => candidate)));
  waiting.delete(leader);
  console.log(`${leader.name} leads`);
  const lease = await cluster.client.live.get(Lease, key);
  console.log(`the Lease is held by ${lease.spec?.holderIdentity}, and ${waiting.size} wait`);
  leader.child.kill(signal);
  const [exitCode] = await leader.ended;
  if (signal === 'SIGKILL') console.log(`${leader.name} was killed; another may lead when its Lease has ended`);
  else console.log(`${leader.name} gives the Lease up, stops, and ends with exit code ${exitCode}`);
}
await cluster.client.delete(await cluster.client.live.get(Lease, key));
