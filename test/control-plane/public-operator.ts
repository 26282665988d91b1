import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defaultVersion } from '@kubewright/api/kubernetes-version';
import { kubeconfigOf, type TestEnvironment } from '@kubewright/testing';
import { parseAllDocuments } from 'yaml';
import { Kubectl, kubectlBinaries } from '../kubectl/kubectl.js';

const runFile = promisify(execFile);
/** The maximum length of the output of Helm. */
const MAX_OUTPUT = 16 * 1024 * 1024;

/** An object in a manifest. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

/** Where the webhooks of an operator listen. */
export interface LocalWebhooks {
  /** The URL without a path. */
  readonly url: string;
  /** The certificate authority as PEM. */
  readonly authority: string;
}

/** A ServiceAccount whose permissions a program has. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
}

/** A published operator whose programs run on this machine, without changes, against the server of a test environment. */
export class PublicOperator implements AsyncDisposable {
  readonly #env: TestEnvironment;
  readonly #kubectl: Kubectl;
  readonly #children: ChildProcess[] = [];
  /** A folder for files of this test, which is deleted at the end. */
  readonly folder: string;
  #output = '';

  private constructor(env: TestEnvironment, kubectl: Kubectl, folder: string) {
    this.#env = env;
    this.#kubectl = kubectl;
    this.folder = folder;
  }

  static async of(env: TestEnvironment): Promise<PublicOperator> {
    const folder = await mkdtemp(join(tmpdir(), 'kubewright-operator-'));
    const kubeconfig = join(folder, 'administrator');
    await env.writeKubeconfig(kubeconfig);
    const binary = kubectlBinaries().at(-1);
    if (binary === undefined) throw new Error('the control plane contains no kubectl');
    return new PublicOperator(env, new Kubectl(binary, { kubeconfig, home: folder, namespace: '' }), folder);
  }

  /** The text that the programs have written. */
  get output(): string {
    return this.#output;
  }

  /** Returns the objects that kustomize generates from a folder. */
  async kustomized(folder: string): Promise<readonly Manifest[]> {
    return manifestsIn(await this.#kubectl.ok(`kustomize '${folder}'`));
  }

  /** Returns the objects that Helm generates from a chart, with values such as 'replicas=1'. */
  async templated(
    helm: string,
    chart: string,
    { namespace, values }: { readonly namespace: string; readonly values: readonly string[] },
  ): Promise<readonly Manifest[]> {
    const options = ['--namespace', namespace, '--kube-version', defaultVersion, '--set', values.join(',')];
    const env = { HOME: this.folder, XDG_CACHE_HOME: this.folder };
    const { stdout } = await runFile(helm, ['template', namespace, chart, ...options], { env, maxBuffer: MAX_OUTPUT });
    return manifestsIn(stdout);
  }

  /** Applies the objects with kubectl. Resolves when new kinds are served. */
  async apply(manifests: readonly Manifest[]): Promise<void> {
    const list = { apiVersion: 'v1', kind: 'List', items: manifests };
    await this.#kubectl.ok('apply --server-side -f -', list);
    await this.#kubectl.ok('wait --for=condition=Established crd --all');
  }

  /**
   * Starts a program with the permissions of a ServiceAccount. The variable KUBECONFIG of the program and the parameter of `args` contain
   * the path of the kubeconfig.
   */
  async start(program: string, account: Account, args: (kubeconfig: string) => readonly string[]): Promise<void> {
    const { namespace, name } = account;
    const token = (await this.#kubectl.ok(`create token ${name} --namespace ${namespace}`)).trim();
    const { server, ca } = this.#env.connection;
    const kubeconfig = join(this.folder, `${namespace}-${name}`);
    await writeFile(kubeconfig, kubeconfigOf({ server, namespace, token, ...(ca !== undefined && { ca }) }));
    const { PATH } = process.env;
    const environment = { PATH, HOME: this.folder, TMPDIR: this.folder, KUBECONFIG: kubeconfig };
    const child = spawn(program, args(kubeconfig), { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: unknown) => {
        this.#output += String(chunk);
      });
    }
    await once(child, 'spawn');
    this.#children.push(child);
  }

  /**
   * Repeats an attempt, such as a request whose webhook does not listen yet, until it succeeds. Rejects with the output of the programs if
   * one of them has ended.
   */
  async eventually<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        const ended = this.#children.find(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null);
        if (ended !== undefined) throw new Error(`a program has ended: ${this.#output}`, { cause: error });
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** Sends SIGTERM to the programs, and waits until they have ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      this.#children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const closed = once(child, 'close');
        child.kill('SIGTERM');
        await closed;
      }),
    );
    await rm(this.folder, { recursive: true });
  }
}

/** Returns the objects in the YAML files of a folder. */
export async function manifestsOf(folder: string): Promise<readonly Manifest[]> {
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap(manifestsIn);
}

/** Returns the objects in a text with YAML documents. */
function manifestsIn(text: string): readonly Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    const value = document.toJS() as Manifest | null;
    return value === null ? [] : [value];
  });
}

/** Returns a copy in which a URL of a local process replaces each Service in a `clientConfig`. */
export function withLocalWebhooks<T>(value: T, webhooks: LocalWebhooks): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each: unknown) => withLocalWebhooks(each, webhooks)) as T;
  const entries = Object.entries(value).map(([name, field]: [string, unknown]) => [
    name,
    name === 'clientConfig' ? localConfig(field as ClientConfig, webhooks) : withLocalWebhooks(field, webhooks),
  ]);
  return Object.fromEntries(entries) as T;
}

interface ClientConfig {
  readonly service?: { readonly path?: string };
}

function localConfig({ service, ...config }: ClientConfig, { url, authority }: LocalWebhooks): object {
  if (service === undefined) return config;
  return { ...config, caBundle: Buffer.from(authority).toString('base64'), url: `${url}${service.path ?? ''}` };
}
