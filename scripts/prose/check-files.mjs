// Checks files in two threads, because one thread takes too long on a busy machine.
import { Worker } from 'node:worker_threads';
import { checkPart } from './check-part.mjs';

/** The minimum number of files for which a second thread is faster. */
const MANY = 200;

/** Checks the files at the paths. Returns the number of texts, and the findings in the order of `paths` and lines. */
export async function checkFiles(root, paths) {
  if (paths.length < MANY) return await checkPart(root, paths);
  const parts = await Promise.all([
    inWorker(
      root,
      paths.filter((_, at) => at % 2 === 1),
    ),
    checkPart(
      root,
      paths.filter((_, at) => at % 2 === 0),
    ),
  ]);
  const order = new Map(paths.map((path, at) => [path, at]));
  return {
    count: parts.reduce((sum, { count }) => sum + count, 0),
    findings: parts
      .flatMap(({ findings }) => findings)
      .toSorted((a, b) => order.get(a.path) - order.get(b.path) || a.line - b.line),
  };
}

function inWorker(root, paths) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('check-worker.mjs', import.meta.url), { workerData: { root, paths } });
    worker.on('message', resolve);
    worker.on('error', reject);
  });
}
