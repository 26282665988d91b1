// Starts a manager with one controller, sends a request, and stops the manager. Then sends the names of the loaded packages and files to the
// parent process.
import assert from 'node:assert/strict';
import { createRequire, register } from 'node:module';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import type { ManagerOptions } from '@kubewright/runtime';

const { port1: loads, port2: port } = new MessageChannel();
register('./reported-loads.js', { parentURL: import.meta.url, data: { port }, transferList: [port] });

const { isNotFound, Manager, Result } = await import('@kubewright/runtime');
const { ConfigMap } = await import('@kubewright/api/core/v1');
const options = JSON.parse(process.argv[2] ?? '') as Pick<ManagerOptions, 'connection' | 'kubeconfig'>;
const manager = new Manager({ ...options, settings: false, logLevel: 'error' });
manager.control({ for: ConfigMap, name: 'config-map' }, async () => Result.done());
await manager.start();
// The caches of a manager only use streams, so that this is the first single request.
await assert.rejects(manager.client.live.get(ConfigMap, { namespace: 'default', name: 'absent' }), isNotFound);
await manager.stop();

const imported: string[] = [];
for (let load = receiveMessageOnPort(loads); load !== undefined; load = receiveMessageOnPort(loads))
  imported.push(String(load.message));
loads.close();
/** The hooks do not report the files that CommonJS packages require. */
const required = Object.keys(createRequire(import.meta.url).cache);
const packages = imported.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []);
const files = [...imported, ...required].flatMap((url) => /.*\/(?:node_modules|packages)\/(.*)$/.exec(url)?.[1] ?? []);
process.send?.({ packages: [...new Set(packages)].toSorted(), files: [...new Set(files)].toSorted() });
process.disconnect?.();
