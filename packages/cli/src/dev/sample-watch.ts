import { join } from 'node:path';
import { watchIfExists } from '../project/if-exists.js';
import type { Project } from '../project/project.js';
import { SAMPLES } from './samples.js';

/** The time in milliseconds within which file events belong to the same change, because editors write a file in several steps. */
const SETTLE_MS = 40;

/**
 * Calls `onChange` after each change of a file in config/samples, until the result is disposed. Does nothing if the folder does not exist
 * when the watch starts.
 */
export function watchSamples({ root }: Project, onChange: () => void): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watchIfExists(join(root, SAMPLES), () => {
    clearTimeout(timer);
    timer = setTimeout(onChange, SETTLE_MS);
  });
  // An error occurs if the folder is deleted while it is watched.
  watcher?.on('error', () => watcher.close());
  return {
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      watcher?.close();
    },
  };
}
