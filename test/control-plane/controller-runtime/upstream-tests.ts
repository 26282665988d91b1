import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The result of the tests of one package. */
export interface UpstreamResult {
  /** The full names of the specs that passed. */
  readonly passed: readonly string[];
  /** The full names of the pending specs, which controller-runtime declares without a body. */
  readonly pending: readonly string[];
  /** The full names of the other specs, and of the setups that failed. */
  readonly failed: readonly string[];
  /** The number of embedded API servers that the tests started. */
  readonly servers: number;
  /** The output of the tests. */
  readonly output: string;
}

interface Suite {
  readonly SpecReports: readonly {
    readonly LeafNodeType: string;
    readonly LeafNodeText: string;
    readonly ContainerHierarchyTexts: readonly string[] | null;
    readonly State: string;
  }[];
}
interface Spec {
  readonly name: string;
  readonly isSpec: boolean;
  readonly state: string;
}

/** The programs that envtest starts. */
const PROGRAMS = ['etcd', 'kube-apiserver'] as const;

/** Maximum number of attempts to run a spec. Some specs fail if a request takes more than a second, which happens on a slow machine. */
const ATTEMPTS = 3;

/**
 * Runs the compiled, unchanged tests of one package of controller-runtime. envtest finds the programs of this folder instead of etcd
 * and kube-apiserver, so each environment of the tests has its own embedded API server.
 */
export class UpstreamTests implements AsyncDisposable {
  readonly #program: string;
  readonly #folder: string;
  readonly #assets: string;
  readonly #servers: string;
  #output = '';
  #reports = 0;

  private constructor(program: string, folder: string, assets: string) {
    this.#program = program;
    this.#folder = folder;
    this.#assets = assets;
    this.#servers = join(folder, 'servers.txt');
  }

  /** @param program the path of the compiled tests of a package; the folder with the same name contains the test data */
  static async of(program: string): Promise<UpstreamTests> {
    const folder = await mkdtemp(join(tmpdir(), 'kubewright-controller-runtime-'));
    return new UpstreamTests(program, folder, await writePrograms(join(folder, 'assets')));
  }

  /** Runs all specs in one process, and then the failed specs in their own processes. */
  async run(): Promise<UpstreamResult> {
    const results: Spec[] = [];
    for (const spec of await this.#specs([])) {
      if (spec.isSpec && spec.state !== 'passed' && spec.state !== 'pending') {
        results.push(...(await this.#runOne(spec)));
      } else {
        results.push(spec);
      }
    }
    return this.#result(results);
  }

  /**
   * Runs each spec in its own process. Required for specs that listen on the same port, because a spec does not wait until the server of
   * the previous spec has stopped.
   */
  async runSeparately(): Promise<UpstreamResult> {
    const results: Spec[] = [];
    for (const planned of await this.#specs(['-ginkgo.dry-run'])) {
      if (!planned.isSpec || planned.state === 'pending') results.push(planned);
      else results.push(...(await this.#runOne(planned)));
    }
    return this.#result(results);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Returns the result of one spec, and the failed setups of its process. */
  async #runOne({ name }: Spec): Promise<readonly Spec[]> {
    const focus = `-ginkgo.focus=${name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`;
    let results: readonly Spec[] = [];
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const specs = await this.#specs([focus]);
      const own = specs.find((spec) => spec.isSpec && spec.name === name) ?? { name, isSpec: true, state: 'panicked' };
      results = [own, ...specs.filter((spec) => !spec.isSpec)];
      if (results.every(({ state }) => state === 'passed')) break;
    }
    return results;
  }

  async #specs(args: readonly string[]): Promise<readonly Spec[]> {
    this.#reports += 1;
    const report = join(this.#folder, `report-${this.#reports}.json`);
    const { USE_EXISTING_CLUSTER: _, ...inherited } = process.env;
    const child = spawn(this.#program, [...args, '-ginkgo.no-color', `-ginkgo.json-report=${report}`], {
      cwd: this.#program.replace(/\.test$/, ''),
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...inherited,
        KUBEBUILDER_ASSETS: this.#assets,
        // The default of 20 s is too short if many tests run on a slow machine.
        KUBEBUILDER_CONTROLPLANE_START_TIMEOUT: '120s',
        KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT: 'true',
        KUBEWRIGHT_ENVTEST_SERVERS: this.#servers,
        TMPDIR: this.#folder,
      },
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: unknown) => {
        this.#output += String(chunk);
      });
    }
    await once(child, 'close');
    // A panic ends the tests without a report.
    return existsSync(report) ? specsOf(JSON.parse(await readFile(report, 'utf8')) as readonly Suite[]) : [];
  }

  async #result(specs: readonly Spec[]): Promise<UpstreamResult> {
    const log = existsSync(this.#servers) ? await readFile(this.#servers, 'utf8') : '';
    const names = (desired: (spec: Spec) => boolean) => specs.filter(desired).map(({ name }) => name);
    return {
      passed: names(({ isSpec, state }) => isSpec && state === 'passed'),
      pending: names(({ isSpec, state }) => isSpec && state === 'pending'),
      failed: names(({ isSpec, state }) => state !== 'passed' && !(isSpec && state === 'pending')),
      servers: log.split('\n').length - 1,
      output: this.#output,
    };
  }
}

/** Returns the specs and the setups of a report. */
function specsOf(suites: readonly Suite[]): readonly Spec[] {
  return suites
    .flatMap(({ SpecReports }) => SpecReports)
    .map(({ LeafNodeType: type, LeafNodeText: text, ContainerHierarchyTexts: containers, State: state }) => ({
      name: [...(containers ?? []), text || type].join(' '),
      isSpec: type === 'It',
      state,
    }));
}

/** Writes executable files that start the programs of this folder, and returns the folder for KUBEBUILDER_ASSETS. */
async function writePrograms(folder: string): Promise<string> {
  await mkdir(folder);
  for (const name of PROGRAMS) {
    const main = fileURLToPath(new URL(`${name}.js`, import.meta.url));
    const quoted = [process.execPath, main].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
    await writeFile(join(folder, name), `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
  }
  return folder;
}
