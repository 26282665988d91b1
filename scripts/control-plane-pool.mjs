// Starts a pool of control planes in a separate process. All test files of a run use control planes from this pool.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './setup.mjs';

const program = join(root, 'test', 'dist', 'server', 'pool', 'control-plane-pool-process.js');

/**
 * Starts a pool of control planes. Resolves when the pool listens on the Unix socket `socket`, and rejects if the process of the pool exits
 * first. The pool and its control planes stop after a call of `stop`, or when this process exits.
 * @param environment the environment variables of the pool, instead of the variables of this process
 */
export async function startPool(environment) {
  const folder = mkdtempSync(join(tmpdir(), 'kubewright-pool-'));
  const socket = join(folder, 'socket');
  const child = spawn(process.execPath, ['--enable-source-maps', program, socket], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: environment,
  });
  const ended = once(child, 'exit');
  const listens = await Promise.race([once(child.stdout, 'data').then(() => true), ended.then(() => false)]);
  if (!listens)
    throw new Error('cannot run the tests on control planes: the pool of control planes ended; see the output above');
  return {
    socket,
    async stop() {
      child.stdin.end();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
