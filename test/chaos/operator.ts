import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Clock } from '@kubewright/api/clock';
import { type Connection, Manager, type TransportObserver } from '@kubewright/runtime';
import { reconcileContext } from '@kubewright/testing';
import type { Scenario } from './scenario.js';

/** One life of an operator. */
export interface Operator {
  /** What is still queued or running where it leads; nothing can be known of another process. */
  pending(): readonly string[];
  /** Whether it may write at this moment. */
  isLeader(): boolean;
  /** Whether it has ended by itself. */
  hasEnded(): boolean;
  /** Lets it stand still, where it is a process of its own, until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Ends it at once, without a chance to tidy up. */
  kill(): Promise<void>;
}

/** How an operator of this process is run. */
export interface InProcessOptions {
  readonly connection: Connection;
  /** @default the real one */
  readonly clock?: Clock;
  /** Whether it is one of several, of which one is elected. @default false */
  readonly elected?: boolean;
  /** @default none */
  readonly observers?: readonly TransportObserver[];
  /** @default all */
  readonly namespaces?: readonly string[];
}

/** The operator in this process. `started` resolves when it has started, or has given up and ended. */
export function inProcess(
  scenario: Scenario,
  { elected = false, ...where }: InProcessOptions,
): Operator & { readonly started: Promise<void> } {
  const manager = new Manager({
    ...where,
    logger: reconcileContext().log,
    gracePeriod: '0s',
    signals: false,
    settings: false,
    ...(elected && { leaderElection: { name: 'chaos', namespace: 'default' } }),
  });
  scenario.external?.provide(manager);
  manager.add(...(scenario.controllers ?? []));
  let ended = false;
  const end = (): void => {
    ended = true;
  };
  manager.stopped.then(end, end);
  return {
    // Why it gave up does not matter: as with a process that exits, another one is started.
    started: manager.start().catch(end),
    pending: () => (manager.isLeader ? manager.pending() : []),
    isLeader: () => !ended && manager.isLeader,
    hasEnded: () => ended,
    freeze: () => undefined,
    thaw: () => undefined,
    kill: () => manager.stop().catch(end),
  };
}

/** The program of the operator in a process of its own; killed with SIGKILL. */
export function asChild({ name, listener }: Scenario, kubeconfig: string): Operator {
  const [example = '', program = 'main'] = name.split('/');
  const path = fileURLToPath(new URL(`../../../examples/${example}/dist/${program}.js`, import.meta.url));
  const { PATH, HOME } = process.env;
  // The next life would wait for the end of the lease of the one that was killed.
  const env = { PATH, HOME, KUBECONFIG: kubeconfig, KUBEWRIGHT_LEADER_ELECT: 'false' };
  const stdio = ['ignore', listener ? 'pipe' : 'ignore', 'ignore'] as const;
  const child: ChildProcess = spawn(process.execPath, [path], { env, stdio: [...stdio] });
  listener?.begins();
  if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => listener?.hears(line));
  // Where this process is given up, nobody else would end it.
  const endWithThis = (): void => void child.kill('SIGKILL');
  process.once('exit', endWithThis);
  child.once('exit', () => process.off('exit', endWithThis));
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    pending: () => [],
    isLeader: () => !hasEnded(),
    hasEnded,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    kill: async () => {
      if (hasEnded()) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
