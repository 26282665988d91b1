import { join } from 'node:path';
import { watchIfThere } from '../project/if-there.js';
import type { Project } from '../project/project.js';
import { SAMPLES } from './samples.js';

/** Editors write a file in several steps. Events within this time belong to one change. */
const SETTLE_MS = 40;

/**
 * Calls `onChange` after a sample file was saved, until the result is disposed. Never calls `onChange` if the project has no folder of
 * samples.
 */
export function watchSamples({ root }: Project, onChange: () => void): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watchIfThere(join(root, SAMPLES), () => {
    clearTimeout(timer);
    timer = setTimeout(onChange, SETTLE_MS);
  });
  // The folder was removed, so that there is nothing to watch.
  watcher?.on('error', () => watcher.close());
  return {
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      watcher?.close();
    },
  };
}
