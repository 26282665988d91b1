// The second thread: checks a part of the files.
import { parentPort, workerData } from 'node:worker_threads';
import { checkPart } from './check-part.mjs';

parentPort.postMessage(await checkPart(workerData.root, workerData.paths), []);
