import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import type { ServingData, ServingMessage } from './serving-message.js';

const post = (message: ServingMessage): void => parentPort?.postMessage(message, []);

/** Serves until a message arrives. */
async function serve(line: ServingData): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    parentPort?.once('message', () => resolve());
  });
  // The server keeps the thread alive. After the server has stopped, nothing does.
  parentPort?.unref();
  // What is read and thrown away while a server starts would make the young generation grow by what is never needed again.
  setFlagsFromString('--semi-space-growth-factor=1');
  // Hundreds of files are loaded a third faster one after the other.
  const { StandAlone } = createRequire(import.meta.url)('./stand-alone.js') as typeof import('./stand-alone.js');
  const server = await StandAlone.start(line, (text) => post({ type: 'warning', text }));
  setFlagsFromString('--semi-space-growth-factor=2');
  post({ type: 'ready', line: server.ready, kubeconfig: server.kubeconfigText });
  await stopped;
  await server.stop();
}

try {
  await serve(workerData as ServingData);
} catch (error) {
  post({ type: 'failed', reason: (error as Error).message });
}
