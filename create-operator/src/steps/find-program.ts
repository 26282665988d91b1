import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Whether there is a program of that name on the PATH. */
export async function hasProgram(name: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const endings = process.platform === 'win32' ? (env['PATHEXT'] ?? '.EXE;.CMD').split(';') : [''];
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const paths = folders.flatMap((folder) => endings.map((ending) => join(folder, `${name}${ending}`)));
  const found = await Promise.allSettled(paths.map((path) => access(path, constants.X_OK)));
  return found.some(({ status }) => status === 'fulfilled');
}
