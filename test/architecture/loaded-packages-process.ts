// Starts and stops a manager with one controller, and sends the names of the loaded packages to the parent process.
import { register } from 'node:module';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import type { ManagerOptions } from '@kubewright/runtime';

const { port1: loads, port2: port } = new MessageChannel();
register('./reported-loads.js', { parentURL: import.meta.url, data: { port }, transferList: [port] });

const { Manager, Result } = await import('@kubewright/runtime');
const { ConfigMap } = await import('@kubewright/api/core/v1');
const options = JSON.parse(process.argv[2] ?? '') as Pick<ManagerOptions, 'connection' | 'kubeconfig'>;
const manager = new Manager({ ...options, settings: false, logLevel: 'error' });
manager.control({ for: ConfigMap, name: 'config-map' }, async () => Result.done());
await manager.start();
await manager.stop();

const packages = new Set<string>();
for (let load = receiveMessageOnPort(loads); load !== undefined; load = receiveMessageOnPort(loads)) {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(String(load.message)) ?? [];
  if (name !== undefined) packages.add(name);
}
loads.close();
process.send?.([...packages].toSorted());
process.disconnect?.();
