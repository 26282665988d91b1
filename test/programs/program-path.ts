import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns the absolute path of the first executable file with this name on PATH; undefined if there is none. */
export function programPath(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
