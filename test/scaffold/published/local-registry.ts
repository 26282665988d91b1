import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The upstream registry for third-party packages, from the npm settings of this machine. */
export interface Upstream {
  readonly registry: string;
  readonly cafile?: string;
  readonly proxy?: string;
}

/** A registry that stores the published packages of Kubewright, and serves all other packages from the upstream registry. */
export class LocalRegistry implements AsyncDisposable {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, url: string) {
    this.#process = process;
    this.url = url;
  }

  /**
   * Starts the registry. The folder contains the data and the log of the registry. @param ours names of the packages of Kubewright
   */
  static async start(folder: string, ours: readonly string[], upstream: Upstream): Promise<LocalRegistry> {
    await mkdir(folder, { recursive: true });
    const log = openSync(join(folder, 'log'), 'a');
    const config = join(folder, 'config.json');
    const ca = upstream.cafile && (await readFile(upstream.cafile, 'utf8'));
    await writeFile(config, JSON.stringify(configuration(folder, ours, { ...upstream, ca })));
    const child = fork(fileURLToPath(new URL('./registry-process.js', import.meta.url)), [config], {
      stdio: ['ignore', log, log, 'ipc'],
      execArgv: [],
    });
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`the registry ended with ${code}; see ${join(folder, 'log')}`);
    });
    const [port] = (await Promise.race([once(child, 'message'), ended])) as [number];
    ended.catch(() => undefined);
    return new LocalRegistry(child, `http://127.0.0.1:${port}/`);
  }

  /** Writes npm settings that use this registry for all packages. Everybody may publish. */
  async writeSettings(path: string): Promise<void> {
    await writeFile(path, `registry=${this.url}\n//${new URL(this.url).host}/:_authToken=anybody\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill();
    await once(this.#process, 'exit');
  }
}

function configuration(
  folder: string,
  ours: readonly string[],
  { registry, ca, proxy }: Upstream & { readonly ca?: string | undefined },
): object {
  const own = { access: '$all', publish: '$all', unpublish: '$all' };
  return {
    configPath: join(folder, 'config.yaml'),
    self_path: folder,
    storage: join(folder, 'storage'),
    auth: { htpasswd: { file: join(folder, 'htpasswd') } },
    uplinks: {
      upstream: {
        url: registry,
        maxage: '1d',
        timeout: '60s',
        ...(ca && { ca }),
        ...(proxy && { https_proxy: proxy }),
      },
    },
    packages: {
      ...Object.fromEntries(ours.map((name) => [name, own])),
      '**': { access: '$all', proxy: 'upstream' },
    },
    max_body_size: '100mb',
    web: { enable: false },
    server: { keepAliveTimeout: 60 },
    log: { type: 'stdout', format: 'json', level: 'warn' },
  };
}
