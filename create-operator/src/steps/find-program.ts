import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Returns the path of the first program with this name on the PATH, or undefined. */
export async function findProgram(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const endings = process.platform === 'win32' ? (env['PATHEXT'] ?? '.EXE;.CMD').split(';') : [''];
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const paths = folders.flatMap((folder) => endings.map((ending) => join(folder, `${name}${ending}`)));
  const found = await Promise.allSettled(paths.map((path) => access(path, constants.X_OK)));
  return paths[found.findIndex(({ status }) => status === 'fulfilled')];
}
