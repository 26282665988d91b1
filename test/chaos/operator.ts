import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Clock } from '@kubewright/api/clock';
import { Manager } from '@kubewright/runtime';
import type { Connection } from '@kubewright/runtime/internal';
import { reconcileContext } from '@kubewright/testing';
import type { Scenario } from './scenario.js';

/** One life of an operator. */
export interface Operator {
  /** What is still queued or running; nothing can be known of another process. */
  pending(): readonly string[];
  /** Ends it at once, without a chance to tidy up. */
  kill(): Promise<void>;
}

/** The operator in this process, on a clock of its own. `started` rejects when it has given up, and has stopped then. */
export function inProcess(
  connection: Connection,
  scenario: Scenario,
  clock: Clock,
): Operator & { readonly started: Promise<void> } {
  const manager = new Manager({
    connection,
    clock,
    logger: reconcileContext().log,
    gracePeriod: '0s',
    signals: false,
  });
  manager.add(...scenario.controllers);
  return { started: manager.start(), pending: () => manager.pending(), kill: () => manager.stop() };
}

/** The operator's `main.ts` in a process of its own; killed with SIGKILL. */
export function asChild(scenario: Scenario, kubeconfig: string): Operator {
  const main = fileURLToPath(new URL(`../../../examples/${scenario.name}/dist/main.js`, import.meta.url));
  const { PATH, HOME } = process.env;
  // The next life would wait for the end of the lease of the one that was killed.
  const env = { PATH, HOME, KUBECONFIG: kubeconfig, KUBEWRIGHT_LEADER_ELECT: 'false' };
  const child: ChildProcess = spawn(process.execPath, [main], { env, stdio: 'ignore' });
  return {
    pending: () => [],
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
