import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Clock } from '@kubewright/api/clock';
import { type Connection, Manager, type TransportObserver } from '@kubewright/runtime';
import { reconcileContext } from '@kubewright/testing';
import type { Scenario } from './scenario.js';
import { inheritedFlags } from '../programs/inherited-flags.js';

/** One running instance of an operator. */
export interface Operator {
  /**
   * Returns the objects that are queued or being reconciled if the operator is the leader; always empty for an operator in another process.
   */
  pending(): readonly string[];
  /** Whether the operator may write now. */
  isLeader(): boolean;
  /** Whether the operator has ended by itself. */
  hasEnded(): boolean;
  /** Pauses an operator that runs in its own process, until `resume`. */
  pause(): void;
  resume(): void;
  /** Ends the operator immediately, without cleanup. */
  kill(): Promise<void>;
}

/** Options of an operator in this process. */
export interface InProcessOptions {
  readonly connection: Connection;
  /** @default the real clock */
  readonly clock?: Clock;
  /** Whether the operator takes part in leader election. @default false */
  readonly elected?: boolean;
  /** @default none */
  readonly observers?: readonly TransportObserver[];
  /** @default all */
  readonly namespaces?: readonly string[];
}

/** Runs the operator in this process. `started` resolves when the operator has started, or has failed and ended. */
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
    // The reason of a failed start does not matter: the schedule starts another operator, as after the exit of a process.
    started: manager.start().catch(end),
    pending: () => (manager.isLeader ? manager.pending() : []),
    isLeader: () => !ended && manager.isLeader,
    hasEnded: () => ended,
    pause: () => undefined,
    resume: () => undefined,
    kill: () => manager.stop().catch(end),
  };
}

/** Runs the program of the operator in its own process. `kill` ends this process with SIGKILL. */
export function asChild({ name, listener }: Scenario, kubeconfig: string): Operator {
  const [example = '', program = 'main'] = name.split('/');
  const path = fileURLToPath(new URL(`../../../examples/${example}/dist/${program}.js`, import.meta.url));
  const { PATH, HOME } = process.env;
  // With leader election, the next instance would wait until the lease of the killed instance expires.
  const env = { PATH, HOME, KUBECONFIG: kubeconfig, KUBEWRIGHT_LEADER_ELECT: 'false' };
  const stdio = ['ignore', listener ? 'pipe' : 'ignore', 'ignore'] as const;
  const child: ChildProcess = spawn(process.execPath, [...inheritedFlags, path], { env, stdio: [...stdio] });
  listener?.onStart();
  if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => listener?.onLine(line));
  // Ends the child when this process exits. Otherwise the child would continue to run.
  const endWithThis = (): void => void child.kill('SIGKILL');
  process.once('exit', endWithThis);
  child.once('exit', () => process.off('exit', endWithThis));
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    pending: () => [],
    isLeader: () => !hasEnded(),
    hasEnded,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill: async () => {
      if (hasEnded()) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
