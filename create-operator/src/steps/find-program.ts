import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Returns the path of the first program with this name on the PATH, or undefined. */
export async function findProgram(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const endings = process.platform === 'win32' ? (env['PATHEXT'] ?? '.EXE;.CMD').split(';') : [''];
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const paths = folders.flatMap((folder) => endings.map((ending) => join(folder, `${name}${ending}`)));
  const found = await Promise.all(paths.map(isProgram));
  return paths[found.indexOf(true)];
}

async function isProgram(path: string): Promise<boolean> {
  const [permitted, file] = await Promise.allSettled([access(path, constants.X_OK), stat(path)]);
  // Checks the type of the entry, because `access` also reports a searchable directory as executable.
  return permitted.status === 'fulfilled' && file.status === 'fulfilled' && file.value.isFile();
}
