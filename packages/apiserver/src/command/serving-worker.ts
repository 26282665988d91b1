import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import type { ServingData, ServingMessage } from './serving-message.js';

const post = (message: ServingMessage): void => parentPort?.postMessage(message, []);

/** Serves until a message arrives. */
async function serve({ line, files }: ServingData): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    parentPort?.once('message', () => resolve());
  });
  // Only the server keeps the thread alive, so the thread ends after the server has stopped.
  parentPort?.unref();
  // During startup, temporary objects would enlarge the memory that V8 reserves for new objects. The server does not need this memory
  // later.
  setFlagsFromString('--semi-space-growth-factor=1');
  // `require` loads hundreds of files one after the other. This is a third faster than `import`, which loads the files concurrently.
  const { StandAlone } = createRequire(import.meta.url)('./stand-alone.js') as typeof import('./stand-alone.js');
  const server = await StandAlone.start(line, files, (text) => post({ type: 'warning', text }));
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
