// Prints the help of the command line as bin.ts does, and sends which packages that loaded.
import { register } from 'node:module';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';

const { port1: loads, port2: port } = new MessageChannel();
register('./reported-loads.js', { parentURL: import.meta.url, data: { port }, transferList: [port] });

const { CommandContext, runCommandLine } = await import('@kubewright/cli');
const stream = { write: () => true };
const exitCode = await runCommandLine(
  ['--help'],
  new CommandContext({ cwd: process.cwd(), env: {}, stdout: stream, stderr: stream }),
);

const packages = new Set<string>();
for (let load = receiveMessageOnPort(loads); load !== undefined; load = receiveMessageOnPort(loads)) {
  const url = String(load.message);
  const [, name] =
    /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? /\/((?:packages\/)?[^/]+)\/dist\//.exec(url) ?? [];
  if (name !== undefined) packages.add(name);
}
loads.close();
process.send?.({ exitCode, packages: [...packages].toSorted() });
process.disconnect?.();
