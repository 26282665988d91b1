import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Clock } from '@kubewright/api/clock';

/** How long the output of a plugin that has ended may stay open: something that it started and left behind may hold it for ever. */
const LINGER_MS = 1000;
/** After so long a plugin that was told to end is ended. */
const KILL_AFTER_MS = 5000;

/** How a plugin has ended. */
export interface PluginOutput {
  readonly text: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface PluginLimits {
  readonly clock: Clock;
  /** Undefined for one that may ask somebody: that takes as long as it takes. */
  readonly limitMs: number | undefined;
  /** Why it failed when it took longer. */
  readonly tooLate: () => Error;
}

/**
 * What a plugin wrote, when it has ended. Rejects when it could not be started, and when it takes too long, whatever it left behind; it is
 * told to end then.
 */
export function pluginOutput(
  child: ChildProcess & { readonly stdout: Readable },
  { clock, limitMs, tooLate }: PluginLimits,
): Promise<PluginOutput> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    const limit = limitMs === undefined ? undefined : clock.schedule(limitMs, () => giveUp());
    const done = (): void => {
      limit?.cancel();
      child.stdout.destroy();
    };
    const giveUp = (): void => {
      const killing = clock.schedule(KILL_AFTER_MS, () => child.kill('SIGKILL'));
      child.once('exit', () => killing.cancel());
      child.kill('SIGTERM');
      done();
      reject(tooLate());
    };
    child.once('error', (error) => {
      done();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      limit?.cancel();
      const lingering = clock.schedule(LINGER_MS, () => child.stdout.destroy());
      child.once('close', () => {
        lingering.cancel();
        resolve({ text: Buffer.concat(chunks).toString('utf8'), code, signal });
      });
    });
  });
}
