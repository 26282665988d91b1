// Runs the command line with --help, and sends the names of the loaded packages to the parent process.
import { register } from 'node:module';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';

const { port1: loads, port2: port } = new MessageChannel();
register('./reported-loads.js', { parentURL: import.meta.url, data: { port }, transferList: [port] });

process.argv.splice(2, Infinity, '--help');
await import(new URL('dist/bin.js', import.meta.resolve('@kubewright/cli/package.json')).href);

const packages = new Set<string>();
for (let load = receiveMessageOnPort(loads); load !== undefined; load = receiveMessageOnPort(loads)) {
  const url = String(load.message);
  const [, name] =
    /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? /\/((?:packages\/)?[^/]+)\/dist\//.exec(url) ?? [];
  if (name !== undefined) packages.add(name);
}
loads.close();
process.send?.([...packages].toSorted());
process.disconnect?.();
