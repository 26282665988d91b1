import { join } from 'node:path';
import { watchIfThere } from '../project/if-there.js';
import type { Project } from '../project/project.js';
import { SAMPLES } from './samples.js';

/** Editors write a file in several steps: what comes this soon after each other is one change. */
const SETTLE_MS = 40;

/** Calls back when a file of samples was saved, until it is closed. Where there is no folder of samples it never does. */
export function watchSamples({ root }: Project, onChange: () => void): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watchIfThere(join(root, SAMPLES), () => {
    clearTimeout(timer);
    timer = setTimeout(onChange, SETTLE_MS);
  });
  // The folder was removed: there is nothing to look at any more.
  watcher?.on('error', () => watcher.close());
  return {
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      watcher?.close();
    },
  };
}
