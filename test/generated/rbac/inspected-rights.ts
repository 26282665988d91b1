import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { OperatorRights } from '@kubewright/api/rbac';

const program = fileURLToPath(new URL('./inspection-process.js', import.meta.url));
const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The rights that follow from what a program declares, by its path in the repository. It connects to nothing. */
export async function inspectedRights(main: string): Promise<OperatorRights> {
  const child = fork(program, [pathToFileURL(join(root, main)).href], { env: { PATH: process.env.PATH } });
  const exit = once(child, 'exit');
  const answer = await Promise.race([once(child, 'message'), exit.then(() => undefined)]);
  await exit;
  if (answer === undefined) throw new Error(`${main} ended without reporting its manager`);
  return answer[0] as OperatorRights;
}
