// Runs three processes, one of which is the leader. Kills the leader, then stops the next leaders. Each time, another process becomes the
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
  console.log(`${leader.name} is the leader`);
  const lease = await cluster.client.live.get(Lease, key);
  console.log(`the holder of the Lease is ${lease.spec?.holderIdentity}; standby candidates: ${waiting.size}`);
  leader.child.kill(signal);
  const [exitCode] = await leader.ended;
  if (signal === 'SIGKILL') console.log(`killed ${leader.name}; the next leader is elected after the Lease expires`);
  else console.log(`${leader.name} released the Lease and stopped with exit code ${exitCode}`);
}
await cluster.client.delete(await cluster.client.live.get(Lease, key));
