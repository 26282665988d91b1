import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { OperatorPermissions } from '@kubewright/api/rbac';

const program = fileURLToPath(new URL('./inspection-process.js', import.meta.url));
const root = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * Returns the permissions derived from the declarations of a program. The program does not connect to a server.
 *
 * @param main - path of the program, relative to the root of the repository
 * @throws Error if the program ends before it reports its manager
 */
export async function inspectedPermissions(main: string): Promise<OperatorPermissions> {
  const child = fork(program, [pathToFileURL(join(root, main)).href], { env: { PATH: process.env.PATH } });
  const exit = once(child, 'exit');
  const answer = await Promise.race([once(child, 'message'), exit.then(() => undefined)]);
  await exit;
  if (answer === undefined) throw new Error(`${main} ended without reporting its manager`);
  return answer[0] as OperatorPermissions;
}
