import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { kubectlBinaries, NO_KUBECTL } from '../kubectl/kubectl.js';
import { programPath } from '../programs/program-path.js';
import { KUBEWRIGHT, repository } from './fixture-project.js';
import { RunningCommand } from './running-command.js';

const CREATE = join(repository, 'create-operator', 'bin', 'create-operator.mjs');
const RULE = `if (website.spec.replicas > 5 && website.spec.image.endsWith(':latest')) {
      violations.push({ field: 'spec.image', message: 'must have a fixed tag if there are more than 5 replicas' });
    }`;
const bad = {
  apiVersion: 'example.com/v1',
  kind: 'Website',
  metadata: { name: 'bad', namespace: 'default' },
  spec: { image: 'nginx:latest', replicas: 6 },
};

/** Runs programs in a folder, each in its own process group, as in a terminal. */
class Terminal implements AsyncDisposable {
  readonly folder: string;
  private constructor(folder: string) {
    this.folder = folder;
  }
  static async open(): Promise<Terminal> {
    return new Terminal(await realpath(await mkdtemp(join(tmpdir(), 'kubewright-first-webhook-'))));
  }
  start(cwd: string, [program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv = {}): RunningCommand {
    // With these variables, a child process would report its results to the test runner of the current test.
    const variables = { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined, ...env };
    const child = spawn(program, args, { cwd, env: variables, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const kill = (signal: NodeJS.Signals): boolean => process.kill(-(child.pid ?? Number.NaN), signal);
    const { stdout, stderr } = child;
    return new RunningCommand({ stdout, stderr, kill, once: child.once.bind(child) });
  }
  /** Runs a program until it ends, and returns its exit code and its output. */
  async run(
    cwd: string,
    command: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ): Promise<{ readonly code: number | null; readonly output: string }> {
    const running = this.start(cwd, command, env);
    const code = await running.closed;
    return { code, output: running.lines.join('\n') };
  }
  async done(cwd: string, command: readonly string[]): Promise<void> {
    const { code, output } = await this.run(cwd, command);
    assert.equal(code, 0, output);
  }
  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}

/** Returns the reason for skipping the test if a program is missing. */
function missingProgram(): string | false {
  if (programPath('npm') === undefined) return 'npm is not on PATH';
  return kubectlBinaries().length === 0 ? NO_KUBECTL : false;
}

it('a new project gets a webhook that rejects kubectl apply of an invalid object and reports the field path', {
  skip: missingProgram(),
}, async (t) => {
  const startedMs = performance.now();
  const elapsed: string[] = [];
  const reached = (step: string): void =>
    void elapsed.push(`${step} ${Math.round((performance.now() - startedMs) / 100) / 10} s`);
  await using terminal = await Terminal.open();
  const { folder } = terminal;
  const project = join(folder, 'my-operator');
  // The packages of this repository replace the installation.
  const options = ['--kind', 'Website', '--yes', '--no-install', '--no-git'];
  await terminal.done(folder, [process.execPath, CREATE, 'my-operator', ...options]);
  await symlink(join(repository, 'node_modules'), join(project, 'node_modules'));
  reached('create');
  await terminal.done(project, [process.execPath, KUBEWRIGHT, 'add', 'webhook', '--kind', 'Website', '--validating']);
  const validator = join(project, 'src/webhooks/website-validator.ts');
  const text = await readFile(validator, 'utf8');
  assert.ok(text.includes('    return violations;'), text);
  await writeFile(validator, text.replace('    return violations;', `    ${RULE}\n    return violations;`));
  reached('add webhook');

  await using dev = terminal.start(project, ['npm', 'run', 'dev']);
  await dev.until(/^the API server calls the webhooks of the operator: validation of Website$/);
  await dev.until(/^running after/);
  reached('dev');
  await writeFile(join(folder, 'bad.json'), JSON.stringify(bad));
  const [kubectl] = kubectlBinaries();
  const KUBECONFIG = join(project, '.kubewright', 'kubeconfig');
  const refused = await terminal.run(folder, [kubectl?.path ?? '', 'apply', '-f', 'bad.json'], {
    KUBECONFIG,
    HOME: folder,
  });
  reached('kubectl apply');
  t.diagnostic(`since the start: ${elapsed.join(', ')}`);
  assert.equal(refused.code, 1);
  assert.match(
    refused.output,
    /The Website "bad" is invalid: spec\.image: Invalid value: "nginx:latest": must have a fixed tag if there are more than 5 replicas/,
  );
  dev.child.kill('SIGINT');
  const code = await dev.closed;
  assert.ok(code === 0 || code === null || code === 130, dev.lines.join('\n'));
});
