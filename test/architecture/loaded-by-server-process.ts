// Starts and stops an embedded API server, and sends the loaded packages and the number of loaded modules to the parent process.
import { Session } from 'node:inspector';

const session = new Session();
const urls: string[] = [];
session.connect();
session.on('Debugger.scriptParsed', ({ params: { url } }) => urls.push(url));
session.post('Debugger.enable');
urls.length = 0;

const { ApiServer } = await import('@kubewright/apiserver');
const server = await ApiServer.start();
await server.stop();
session.disconnect();

const loaded = urls.filter((url) => /\/(?:dist|node_modules)\//.test(url) && !url.startsWith('node:'));
const packages = loaded.map((url) => {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  return name ?? /\/(packages\/[^/]+\/dist(?:\/cel\.js)?)/.exec(url)?.[1] ?? url;
});
process.send?.({ packages: [...new Set(packages)].toSorted(), modules: loaded.length });
process.disconnect?.();
