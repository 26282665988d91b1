// Starts and stops a manager in the variant that the first argument names. The process ends by itself unless the manager leaks a resource.
import { connect, Manager } from '@kubewright/runtime';
import { ConfigMap } from '@kubewright/api/core/v1';

const way = process.argv[2];
const manager = new Manager({
  signals: false,
  settings: false,
  logLevel: 'silent',
  health: { port: 0, host: '127.0.0.1' },
  metrics: { port: 0, host: '127.0.0.1' },
  ...(way === 'leader' && { leaderElection: { name: 'ending', namespace: 'default' } }),
  ...(way === 'events with the core API' && { events: { api: 'v1' } }),
  ...(way === 'late' && { gracePeriod: '0s' }),
});
if (way === 'cluster') manager.add(await connect());
const late: (() => void)[] = [];
manager.add({
  name: 'runnable',
  run: (signal) =>
    new Promise((resolve, reject) => {
      if (way === 'late') late.push(() => reject(new Error('too late')));
      else signal.addEventListener('abort', () => resolve());
    }),
});
manager.control({ for: ConfigMap, name: 'watching' }, async () => {
  const { Result } = await import('@kubewright/runtime');
  return Result.done();
});
if (way === 'never started') {
  process.stdout.write('stopped\n');
} else {
  await startAndStop();
}

async function startAndStop(): Promise<void> {
  await manager.start();
  await manager.elected;
  if (way === 'with a stopped controller') await manager.controller('watching').stop();
  const config = await manager.client.live.find(ConfigMap, { name: 'kube-root-ca.crt', namespace: 'default' });
  if (way?.startsWith('events') && config !== undefined) manager.events.normal(config, 'Seen', 'it is there');
  await manager.stop();
  await manager.stopped;
  for (const end of late) end();
  process.stdout.write('stopped\n');
}
