// Checks half of the files in a second thread.
import { parentPort, workerData } from 'node:worker_threads';
import { checkPart } from './check-part.mjs';

parentPort.postMessage(await checkPart(workerData.root, workerData.paths), []);
