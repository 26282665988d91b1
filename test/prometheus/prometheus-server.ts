import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The scraped target: one Pod of an operator. */
export interface Target {
  /** Host and port. */
  readonly address: string;
  readonly labels: Readonly<Record<string, string>>;
}
/** One series of a query result. */
export interface Answered {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: number;
}

const CACHED = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kubewright', 'prometheus', 'usr', 'bin');

/** Returns the path of the program, from the system or from the cache; undefined if it is not installed. */
export function prometheusProgram(name: 'prometheus' | 'promtool'): string | undefined {
  const cached = join(CACHED, name);
  if (existsSync(cached)) return cached;
  return spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0 ? name : undefined;
}

/** A Prometheus server with its own folder and port. */
export class PrometheusServer implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #url: string;

  private constructor(child: ChildProcess, folder: string, url: string) {
    this.#child = child;
    this.#folder = folder;
    this.#url = url;
  }

  /** Starts Prometheus. It scrapes the target and evaluates the rules (YAML) four times per second. */
  static async start(program: string, target: Target, rules: string): Promise<PrometheusServer> {
    const folder = await mkdtemp(join(tmpdir(), 'kubewright-prometheus-'));
    const config = {
      global: { scrape_interval: '250ms', scrape_timeout: '250ms', evaluation_interval: '250ms' },
      rule_files: [join(folder, 'rules.yaml')],
      scrape_configs: [
        {
          job_name: target.labels.job,
          static_configs: [{ targets: [target.address], labels: target.labels }],
        },
      ],
    };
    await writeFile(join(folder, 'prometheus.yaml'), JSON.stringify(config));
    await writeFile(join(folder, 'rules.yaml'), rules);
    const args = [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      '--web.listen-address=127.0.0.1:0',
    ];
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    try {
      return new PrometheusServer(child, folder, `http://${await readyAddress(child)}`);
    } catch (error) {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true });
      throw error;
    }
  }

  /** Returns the current series of a query. Throws if Prometheus rejects the query. */
  async query(query: string): Promise<readonly Answered[]> {
    const { result } = await this.#get<{ result: readonly { metric: Answered['metric']; value: [number, string] }[] }>(
      `/api/v1/query?query=${encodeURIComponent(query)}`,
    );
    return result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
  }
  /** Returns the errors of the last scrapes of all targets; empty if all succeeded. */
  async problems(): Promise<readonly string[]> {
    const { activeTargets } = await this.#get<{ activeTargets: readonly { lastError: string }[] }>('/api/v1/targets');
    return activeTargets.map(({ lastError }) => lastError).filter((error) => error !== '');
  }
  /** Returns the health of each rule, by rule name. */
  async rules(): Promise<ReadonlyMap<string, { readonly health: string; readonly lastError?: string }>> {
    interface Groups {
      readonly groups: readonly { readonly rules: readonly { name: string; health: string; lastError?: string }[] }[];
    }
    const { groups } = await this.#get<Groups>('/api/v1/rules');
    return new Map(groups.flatMap(({ rules }) => rules.map((rule) => [rule.name, rule] as const)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
    await rm(this.#folder, { recursive: true });
  }

  async #get<T>(path: string): Promise<T> {
    const answer = await fetch(`${this.#url}${path}`);
    const body = (await answer.json()) as { status: string; data: T; error?: string };
    if (body.status !== 'success') throw new Error(`Prometheus rejected ${path}: ${body.error}`);
    return body.data;
  }
}

/** Resolves with the host and the port when the server is ready. Rejects with the output if the process ends before that. */
async function readyAddress(child: ChildProcess): Promise<string> {
  let output = '';
  const { stderr } = child;
  if (stderr === null) throw new Error('the standard error of Prometheus is not read');
  stderr.setEncoding('utf8');
  // If the stream were closed, the next log line would end Prometheus.
  for await (const text of stderr.iterator({ destroyOnReturn: false }) as AsyncIterable<string>) {
    output += text;
    const address = /msg="Listening on"[^\n]* address=(\S+)/.exec(output)?.[1];
    if (address === undefined || !output.includes('Server is ready')) continue;
    // Discards further output, because a full pipe would block Prometheus.
    stderr.resume();
    return address;
  }
  throw new Error(`Prometheus did not start: ${output}`);
}
