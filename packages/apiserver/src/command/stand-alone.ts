import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import { ApiServer } from '../server/api-server.js';
import type { CommandLine } from './command-line.js';
import type { OptionFiles } from './option-files.js';

/** The server of the command `kubewright-apiserver`, and its kubeconfig. */
export class StandAlone {
  readonly #server: ApiServer;
  /** The temporary folder with the kubeconfig. Undefined if `--data` or `--kubeconfig` determines the path of the kubeconfig. */
  readonly #temporary: string | undefined;
  readonly kubeconfig: string;

  private constructor(server: ApiServer, kubeconfig: string, temporary: string | undefined) {
    this.#server = server;
    this.kubeconfig = kubeconfig;
    this.#temporary = temporary;
  }

  /**
   * Starts the server and writes the kubeconfig. Rejects as `ApiServer.start` does, and with KUBECONFIG_UNWRITABLE if the kubeconfig cannot
   * be written.
   */
  static async start(
    line: CommandLine,
    { nodes, podBehaviours }: OptionFiles,
    onWarning: (message: string) => void,
  ): Promise<StandAlone> {
    const { host, port, kubernetes, workloads, data } = line;
    const server = await ApiServer.start({
      host,
      port,
      kubernetesVersion: kubernetes.version,
      workloads,
      onWarning,
      ...(data && { data: resolve(data) }),
      ...(nodes !== undefined && { nodes }),
      ...(podBehaviours && { podBehaviours }),
    });
    try {
      const temporary =
        line.kubeconfig === undefined && data === undefined ? await mkdtemp(join(tmpdir(), 'kubewright-')) : undefined;
      const kubeconfig = resolve(line.kubeconfig ?? join(temporary ?? data ?? '', 'kubeconfig'));
      await write(server, kubeconfig);
      return new StandAlone(server, kubeconfig, temporary);
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** The line that reports that the server is ready, with an example command. */
  get ready(): string {
    return `ready at ${this.#server.url}; try: kubectl --kubeconfig ${quoted(this.kubeconfig)} get namespaces`;
  }

  get kubeconfigText(): string {
    return this.#server.kubeconfig();
  }

  /** Stops the server and removes the temporary folder. */
  async stop(): Promise<void> {
    await this.#server.stop();
    if (this.#temporary !== undefined) await rm(this.#temporary, { recursive: true, force: true });
  }
}

async function write(server: ApiServer, path: string): Promise<void> {
  try {
    await server.writeKubeconfig(path);
  } catch (cause) {
    const message = `cannot write the kubeconfig to ${path}: ${(cause as Error).message}`;
    throw new KubewrightError('KUBECONFIG_UNWRITABLE', message, { cause });
  }
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
