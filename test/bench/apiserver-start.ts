// Starts the embedded server of a checkout on a data folder, in a process that has already loaded the server, and prints the duration of the
// start in milliseconds.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [root = '', data = ''] = process.argv.slice(2);
const checkout = createRequire(join(root, 'packages', 'testing', 'package.json'));
const { ApiServer } = (await import(
  pathToFileURL(checkout.resolve('@kubewright/apiserver')).href
)) as typeof import('@kubewright/apiserver');
// The first start in a process creates a certificate and reads the schemas. Later starts reuse both.
await (await ApiServer.start()).stop();
const begun = performance.now();
const server = await ApiServer.start({ data });
process.stdout.write(String(performance.now() - begun));
await server.stop();
