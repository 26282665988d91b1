import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { LEADERSHIP_LOST_EXIT_CODE } from '@kubewright/runtime';
import { ServerProcess } from '../apiserver-process/server-process.js';
import type { OperatorReport } from './handover-report.js';
import { WriteWitness } from './write-witness.js';
import { inheritedFlags } from '../programs/inherited-flags.js';

const program = fileURLToPath(new URL('./handover-operator.js', import.meta.url));

/** Number of writes of a leader before it is blocked, and of its successor before the leader is unblocked. */
const WRITES = 10;

/** The result of a number of handovers. */
export interface HandoverSummary {
  readonly handovers: number;
  /** Describes leader-only writes that the server committed while another replica was the leader. */
  readonly violations: readonly string[];
  readonly writes: number;
  /** Number of writes that replicas rejected because they were no longer the leader, for each handover. */
  readonly refused: readonly number[];
  /** Number of writes of components that run on every replica, sent by replicas that were not the leader. */
  readonly byOthers: number;
  /** Milliseconds from the last write of a leader to the next leader. */
  readonly gapsMs: readonly number[];
}

/** An operator in its own process. */
class Operator {
  readonly identity: string;
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown[]>;
  readonly #reports: OperatorReport[] = [];
  readonly #releaseFile: string;
  #onReport: () => void = () => undefined;
  /** Whether the process is or was blocked. */
  isBlocked = false;
  #hasEnded = false;

  constructor(identity: string, { kubeconfig, folder }: { readonly kubeconfig: string; readonly folder: string }) {
    this.identity = identity;
    this.#releaseFile = join(folder, `release-${identity}`);
    const args = [...inheritedFlags, program, kubeconfig, identity, this.#releaseFile];
    const env = { PATH: process.env['PATH'], HOME: folder };
    this.#child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
    this.#closed = once(this.#child, 'close');
    void this.#closed.then(() => {
      this.#hasEnded = true;
    });
    // A leader can lose its Lease and end while this class sends a command to the process.
    this.#child.stdin?.on('error', () => undefined);
    if (this.#child.stdout === null) return;
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      this.#reports.push(JSON.parse(line) as OperatorReport);
      this.#onReport();
    });
  }

  /** Whether the process runs and is not blocked. */
  get contends(): boolean {
    return !this.isBlocked && !this.#hasEnded;
  }

  /** Resolves with the first report of this type, or with undefined if the process ends without such a report. */
  async untilReported(what: OperatorReport['what']): Promise<OperatorReport | undefined> {
    const find = (): OperatorReport | undefined => this.#reports.find((report) => report.what === what);
    const found = new Promise<OperatorReport>((resolve) => {
      this.#onReport = () => {
        const report = find();
        if (report !== undefined) resolve(report);
      };
      this.#onReport();
    });
    return Promise.race([found, this.#closed.then(find)]);
  }
  /** Blocks the process. Returns false if the process lost its Lease and ended before it was blocked. */
  async block(how: 'busy' | 'stopped'): Promise<boolean> {
    this.#child.stdin?.write(`${how}\n`);
    this.isBlocked = (await this.untilReported('blocking')) !== undefined;
    return this.isBlocked;
  }
  release(): void {
    writeFileSync(this.#releaseFile, '');
    this.#child.kill('SIGCONT');
  }
  /** Resolves with the exit code. */
  async ended(): Promise<unknown> {
    return (await this.#closed)[0];
  }
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed;
  }
}

/**
 * Runs operators that compete for one Lease of an embedded server, each in its own process. In each round, the leader is blocked until
 * another operator becomes the leader and writes, and then continues until its process ends. On a busy machine, a leader can lose its Lease
 * before it is blocked. The round then starts again with the next leader. A new process replaces each process that is blocked or has ended.
 */
export async function runHandovers(
  count: number,
  onLine: (line: string) => void = () => undefined,
): Promise<HandoverSummary> {
  const folder = mkdtempSync(join(tmpdir(), 'kubewright-handovers-'));
  const kubeconfig = join(folder, 'kubeconfig');
  await using server = await ServerProcess.start(['--port', '0', '--kubeconfig', kubeconfig]);
  for (const [path, body] of subjects()) await server.send('POST', path, body);
  const witness = new WriteWitness(server);
  const refused: number[] = [];
  const contest = new Contest({ kubeconfig, folder });
  try {
    for (let round = 1; round <= count; ) {
      const leader = contest.operator(await witness.writer(WRITES));
      await contest.allContend();
      const how = round % 2 === 0 ? 'busy' : 'stopped';
      if (!(await leader.block(how))) {
        onLine(`${round}: ${leader.identity} ended because it lost its Lease before it was blocked`);
        await witness.until(() => witness.holder !== leader.identity);
        continue;
      }
      contest.fill();
      const successor = await witness.writer(WRITES, leader.identity);
      leader.release();
      const report = await leader.untilReported('unblocked');
      if (report?.what !== 'unblocked') {
        onLine(`${round}: ${leader.identity} ended because it lost its Lease before it was blocked`);
        continue;
      }
      refused.push(report.refused);
      onLine(`${round}: ${leader.identity} (${how}) → ${successor}, ${refused.at(-1)} writes refused`);
      round++;
    }
    await contest.checkEnds();
    const violations = await witness.violations();
    const { writes, byOthers } = witness;
    return { handovers: count, violations, writes, refused, byOthers, gapsMs: witness.gapsMs() };
  } finally {
    await contest.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The operators that compete for the Lease. At any time, two operators run and are not blocked. */
class Contest {
  readonly #options: { readonly kubeconfig: string; readonly folder: string };
  readonly #operators: Operator[] = [];
  readonly #codes: unknown[] = [];
  #isOver = false;

  constructor(options: { readonly kubeconfig: string; readonly folder: string }) {
    this.#options = options;
    this.fill();
  }

  operator(identity: string): Operator {
    const found = this.#operators.find((operator) => operator.identity === identity);
    if (found === undefined) throw new Error(`no operator has the identity ${identity}`);
    return found;
  }
  /** Starts the operators that are missing. */
  fill(): void {
    while (!this.#isOver && this.#operators.filter(({ contends }) => contends).length < 2) {
      const operator = new Operator(`operator-${this.#operators.length + 1}`, this.#options);
      this.#operators.push(operator);
      void operator.ended().then((code) => {
        if (this.#isOver) return;
        this.#codes.push(code);
        this.fill();
      });
    }
  }
  /** Resolves when all operators that are not blocked compete for the Lease. */
  async allContend(): Promise<void> {
    await Promise.all(
      this.#operators.filter(({ contends }) => contends).map((operator) => operator.untilReported('contending')),
    );
  }
  /** Resolves when all blocked operators have ended. Rejects if an operator ended for another reason than the loss of its Lease. */
  async checkEnds(): Promise<void> {
    await Promise.all(this.#operators.filter(({ isBlocked }) => isBlocked).map((operator) => operator.ended()));
    const other = this.#codes.find((code) => code !== LEADERSHIP_LOST_EXIT_CODE);
    if (other !== undefined) throw new Error(`an operator ended with ${String(other)}`);
  }
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#operators.map((operator) => operator.kill()));
  }
}

/** Returns the objects that the operators write. */
function subjects(): readonly (readonly [path: string, body: object])[] {
  const configMap = (name: string): readonly [string, object] => [
    '/api/v1/namespaces/default/configmaps',
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
  ];
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'handover' },
    spec: { ports: [{ port: 80 }] },
  };
  return [...['captured', 'live', 'reconciled'].map(configMap), ['/api/v1/namespaces/default/services', service]];
}
