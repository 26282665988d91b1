import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Clock } from '@kubewright/api/clock';

/**
 * The time in milliseconds to wait for the end of the output after a plugin has exited. A process that the plugin started may keep the
 * output open.
 */
const LINGER_MS = 1000;
/** The time in milliseconds between SIGTERM and SIGKILL for a plugin that exceeds its time limit. */
const KILL_AFTER_MS = 5000;

/** The output and the exit status of a plugin. */
export interface PluginOutput {
  readonly text: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface PluginLimits {
  readonly clock: Clock;
  /** The time limit in milliseconds. Undefined for an interactive plugin, which has no limit. */
  readonly limitMs: number | undefined;
  /** Returns the error for a plugin that exceeds the time limit. */
  readonly tooLate: () => Error;
}

/**
 * Waits until a plugin has exited, and returns its output. Rejects if the plugin cannot be started or exceeds its time limit. A plugin that
 * exceeds its time limit receives SIGTERM, and SIGKILL after 5 s. If a process that the plugin started keeps the output open, waits for at
 * most 1 s after the exit of the plugin.
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
