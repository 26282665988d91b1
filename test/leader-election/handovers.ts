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

const program = fileURLToPath(new URL('./handover-operator.js', import.meta.url));

/** How often a leader has written before it is blocked, and its successor before it is released. */
const WRITES = 10;

/** What came of a number of handovers. */
export interface HandoverSummary {
  readonly handovers: number;
  /** Leader-only writes that the server committed while another replica led, in words. */
  readonly violations: readonly string[];
  readonly writes: number;
  /** Writes that replicas refused to send since they no longer led, for each handover. */
  readonly refused: readonly number[];
  /** Writes of work on every replica, by replicas that did not lead. */
  readonly byOthers: number;
  /** Milliseconds from the last write of a leader to the next leader. */
  readonly gapsMs: readonly number[];
}

/** An operator in a process of its own. */
class Operator {
  readonly identity: string;
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown[]>;
  readonly #reports: OperatorReport[] = [];
  readonly #releaseFile: string;
  #onReport: () => void = () => undefined;

  constructor(identity: string, { kubeconfig, folder }: { readonly kubeconfig: string; readonly folder: string }) {
    this.identity = identity;
    this.#releaseFile = join(folder, `release-${identity}`);
    const args = [program, kubeconfig, identity, this.#releaseFile];
    const env = { PATH: process.env['PATH'], HOME: folder };
    this.#child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
    this.#closed = once(this.#child, 'close');
    if (this.#child.stdout === null) return;
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      this.#reports.push(JSON.parse(line) as OperatorReport);
      this.#onReport();
    });
  }

  /** Resolves with the first report of this sort. Rejects if the process ends without it. */
  async said(what: OperatorReport['what']): Promise<OperatorReport> {
    const find = (): OperatorReport | undefined => this.#reports.find((report) => report.what === what);
    const found = new Promise<OperatorReport>((resolve) => {
      this.#onReport = () => {
        const report = find();
        if (report !== undefined) resolve(report);
      };
      this.#onReport();
    });
    const ended = this.#closed.then(([code]) => {
      const report = find();
      if (report === undefined)
        throw new Error(`${this.identity} ended with ${String(code)} and did not say '${what}'`);
      return report;
    });
    return Promise.race([found, ended]);
  }
  async block(how: 'busy' | 'stopped'): Promise<void> {
    this.#child.stdin?.write(`${how}\n`);
    await this.said('blocking');
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
 * Operators contend for one Lease of an embedded server, each a process of its own. In each round the leader is blocked until another one
 * leads and writes, and then continues until its process ends. A new process takes its place.
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
  const operators: Operator[] = [];
  const start = (): void =>
    void operators.push(new Operator(`operator-${operators.length + 1}`, { kubeconfig, folder }));
  const ends: Promise<unknown>[] = [];
  try {
    start();
    start();
    for (let round = 1; round <= count; round++) {
      await witness.until(() => operators.some(({ identity }) => identity === witness.holder));
      const leader = operators.find(({ identity }) => identity === witness.holder);
      if (leader === undefined) throw new Error('there is no leader');
      await witness.hasWritten(leader.identity, WRITES);
      await Promise.all(operators.map((operator) => operator.said('contending')));
      const how = round % 2 === 0 ? 'busy' : 'stopped';
      await leader.block(how);
      // The operator that takes the place of this one contends as soon as it is there.
      start();
      await witness.until(() => witness.holder !== leader.identity);
      await witness.hasWritten(witness.holder ?? '', WRITES);
      leader.release();
      const report = await leader.said('unblocked');
      ends.push(leader.ended());
      refused.push(report.what === 'unblocked' ? report.refused : 0);
      onLine(`${round}: ${leader.identity} (${how}) → ${witness.holder}, ${refused.at(-1)} writes refused`);
    }
    for (const code of await Promise.all(ends)) {
      if (code !== LEADERSHIP_LOST_EXIT_CODE) throw new Error(`a leader ended with ${String(code)}`);
    }
    const violations = await witness.violations();
    const { writes, byOthers } = witness;
    return { handovers: count, violations, writes, refused, byOthers, gapsMs: witness.gapsMs() };
  } finally {
    await Promise.all(operators.map((operator) => operator.kill()));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The objects that the operators write. */
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
