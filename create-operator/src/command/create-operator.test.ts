import assert from 'node:assert/strict';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findProgram } from '../steps/find-program.js';
import { runProgram } from '../steps/run-program.js';
import { runCreateOperator } from './run-create-operator.js';
import type { PackedPackage } from './environment.js';

const git = await findProgram('git', process.env);

/** A folder for new projects, and a folder of programs that is the entire PATH. */
class Workshop {
  readonly #cwd: string;
  readonly #programs: string;
  #packages: readonly PackedPackage[] | undefined;

  private constructor(root: string) {
    this.#cwd = join(root, 'work');
    this.#programs = join(root, 'programs');
  }

  static async open(t: TestContext): Promise<Workshop> {
    const root = await mkdtemp(join(tmpdir(), 'kubewright-create-'));
    t.after(() => rm(root, { recursive: true }));
    const workshop = new Workshop(root);
    await mkdir(workshop.#cwd);
    await mkdir(workshop.#programs);
    return workshop;
  }

  path(...parts: readonly string[]): string {
    return join(this.#cwd, ...parts);
  }

  get env(): NodeJS.ProcessEnv {
    return {
      PATH: this.#programs,
      HOME: this.#cwd,
      GIT_CEILING_DIRECTORIES: dirname(this.#cwd),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@example.com',
    };
  }

  /** Adds a shell script to the PATH. */
  async program(name: string, script: string): Promise<void> {
    await writeFile(join(this.#programs, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(this.#programs, name), 0o755);
  }

  /** Adds a program to the PATH that runs a Node.js module. */
  async nodeProgram(name: string, source: string): Promise<void> {
    const module = join(this.#programs, `${name}.mjs`);
    await writeFile(module, source);
    await this.program(name, `exec "${process.execPath}" "${module}" "$@"`);
  }

  async useGit(): Promise<void> {
    await symlink(git ?? '', join(this.#programs, 'git'));
  }

  run(...args: readonly string[]): Promise<{ readonly exitCode: number; readonly output: string }> {
    return this.runUntil(new AbortController(), '', ...args);
  }

  /** Runs the command as in a clone of the repository, with the Kubewright packages as tarballs. */
  async runInClone(packages: readonly PackedPackage[], ...args: readonly string[]) {
    this.#packages = packages;
    return await this.run(...args);
  }

  /** Runs the command and aborts it when a line of its output starts with `ending`. */
  async runUntil(stopping: AbortController, ending: string, ...args: readonly string[]) {
    const lines: string[] = [];
    const line = (text: string) => {
      lines.push(text);
      if (ending !== '' && text.startsWith(ending)) setImmediate(() => stopping.abort());
    };
    const { signal } = stopping;
    const packages = this.#packages;
    const environment = {
      cwd: this.#cwd,
      env: this.env,
      interactive: false,
      line,
      error: line,
      signal,
      ...(packages && { packagesFor: () => Promise.resolve(packages) }),
    };
    const exitCode = await runCreateOperator(args, environment);
    return { exitCode, output: lines.join('\n') };
  }

  async files(folder: string): Promise<readonly string[]> {
    const entries = await readdir(this.path(folder), { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.path(folder).length + 1))
      .filter((path) => !path.startsWith('.git/'))
      .toSorted();
  }
}

const FILES = [
  '.dockerignore',
  '.github/workflows/ci.yml',
  '.gitignore',
  '.vscode/settings.json',
  'Dockerfile',
  'README.md',
  'config/samples/v1_website.yaml',
  'package.json',
  'src/api/v1/website.ts',
  'src/controllers/website-controller.test.ts',
  'src/controllers/website-controller.ts',
  'src/main.ts',
  'tsconfig.json',
];

test('create-operator creates a project without questions, and changes nothing in a second run', async (t) => {
  const workshop = await Workshop.open(t);
  const first = await workshop.run('--no-install', '--no-git');
  assert.deepEqual(first, {
    exitCode: 0,
    output: [
      'created my-operator: an operator for Website (example.com/v1)',
      '',
      'Next:',
      '  cd my-operator',
      '  npm install',
      '  npm run generate   generate config/ from the code',
      '  npm run dev        run the operator with a local API server',
      '  npm test           run the test',
    ].join('\n'),
  });
  assert.deepEqual(await workshop.files('my-operator'), FILES);
  await cp(workshop.path('my-operator'), workshop.path('before'), { recursive: true });
  const second = await workshop.run('my-operator', '--no-install', '--no-git');
  assert.equal(second.exitCode, 0);
  assert.match(second.output, /^my-operator already exists/);
  for (const file of await workshop.files('my-operator')) {
    const [now, before] = await Promise.all(
      ['my-operator', 'before'].map((folder) => readFile(workshop.path(folder, file), 'utf8')),
    );
    assert.equal(now, before, file);
  }
});

test('create-operator copies the packages of a clone into the project, and keeps the copies in a second run', async (t) => {
  const workshop = await Workshop.open(t);
  const path = workshop.path('kubewright-api-1.2.3.tgz');
  await writeFile(path, 'first');
  const packages = [{ name: '@kubewright/api', path }];
  assert.equal((await workshop.runInClone(packages, 'x', '--no-install', '--no-git')).exitCode, 0);
  const copy = 'vendor/kubewright-api-1.2.3.tgz';
  assert.deepEqual(await workshop.files('x'), [...FILES, copy].toSorted());
  assert.match(
    await readFile(workshop.path('x/package.json'), 'utf8'),
    new RegExp(`"@kubewright/api": "file:${copy}"`),
  );
  await writeFile(path, 'second');
  const again = await workshop.runInClone(packages, 'x', '--no-install', '--no-git');
  assert.match(again.output, /^x already exists/);
  assert.equal(await readFile(workshop.path('x', copy), 'utf8'), 'first');
  assert.match((await workshop.run('--help')).output, /\n {2}npm run create -- \.\.\/my-operator\n/);
});

test('create-operator reports the path of the folder vendor if a file has the same path', async (t) => {
  const workshop = await Workshop.open(t);
  await mkdir(workshop.path('x'));
  await writeFile(workshop.path('x/vendor'), 'mine');
  await writeFile(workshop.path('a.tgz'), '');
  const packages = [{ name: '@kubewright/api', path: workshop.path('a.tgz') }];
  const { exitCode, output } = await workshop.runInClone(packages, 'x', '--force', '--no-install', '--no-git');
  assert.equal(exitCode, 3);
  assert.match(output, /cannot copy packages to .*vendor: a parent of the path is a file; move the file away/);
});

test('create-operator prints a cd command that a shell accepts', async (t) => {
  const workshop = await Workshop.open(t);
  const { output } = await workshop.run('My Operators/My Web', '--no-install', '--no-git');
  assert.match(output, /^created my-web: .*\n {2}cd "My Operators\/My Web"\n/s);
  assert.doesNotMatch((await workshop.run('.', '--force', '--no-install', '--no-git')).output, / cd /);
});

test('create-operator reports all invalid names in one error, and creates nothing', async (t) => {
  const workshop = await Workshop.open(t);
  const { exitCode, output } = await workshop.run('x', '--kind', 'my kind', '--domain', 'nodot', '--version', '1');
  assert.equal(exitCode, 2);
  assert.match(output, /domain 'nodot'.*\n.*use 'MyKind'\n.*use 'v1'/);
  assert.deepEqual(await workshop.files('.'), []);
});

test('create-operator rejects unknown and incomplete arguments', async (t) => {
  const workshop = await Workshop.open(t);
  for (const [args, expected] of [
    [['--knd', 'X'], /unknown option '--knd'; see --help/],
    [['--kind'], /--kind <value>.* argument missing; see --help/],
    [['a', 'b'], /too many arguments: 'b'; specify one folder/],
    [['--package-manager', 'npx'], /use npm, pnpm, yarn, bun/],
    [['--yes=no'], /does not take an argument/],
  ] as const) {
    const run = await workshop.run(...args);
    assert.equal(run.exitCode, 2);
    assert.match(run.output, expected);
  }
  assert.match((await workshop.run('--help')).output, /npm create operator@latest/);
});

test('create-operator rejects a folder that contains other files, lists these files, and overwrites none of them', async (t) => {
  const workshop = await Workshop.open(t);
  await mkdir(workshop.path('mine/src'), { recursive: true });
  await writeFile(workshop.path('mine/notes.txt'), 'mine');
  const refused = await workshop.run('mine', '--no-install', '--no-git');
  assert.equal(refused.exitCode, 1);
  assert.match(refused.output, /mine: the folder already contains notes.txt, src; .*--force/);
  await writeFile(workshop.path('mine/package.json'), '{}');
  const always = await workshop.run('mine', '--force', '--no-install', '--no-git');
  assert.equal(always.exitCode, 1);
  assert.match(always.output, /mine: the folder already contains package.json; move/);
  assert.deepEqual(await workshop.files('mine'), ['notes.txt', 'package.json']);
  await rm(workshop.path('mine/package.json'));
  assert.equal((await workshop.run('mine', '--force', '--no-install', '--no-git')).exitCode, 0);
  assert.equal(await readFile(workshop.path('mine/notes.txt'), 'utf8'), 'mine');
});

test('create-operator --force keeps README.md, adds missing lines to .gitignore, and writes all other files', async (t) => {
  const workshop = await Workshop.open(t);
  await mkdir(workshop.path('my-operator'));
  await writeFile(workshop.path('my-operator/README.md'), '# Mine');
  await writeFile(workshop.path('my-operator/.gitignore'), 'secrets/\nnode_modules/');
  const refused = await workshop.run('my-operator', '--no-install', '--no-git');
  assert.equal(refused.exitCode, 1);
  assert.match(
    refused.output,
    /my-operator: the folder already contains \.gitignore, README\.md; move .* or pass --force to keep them$/,
  );
  const forced = await workshop.run('my-operator', '--force', '--no-install', '--no-git');
  assert.equal(forced.exitCode, 0, forced.output);
  assert.deepEqual(await workshop.files('my-operator'), FILES);
  assert.equal(await readFile(workshop.path('my-operator/README.md'), 'utf8'), '# Mine');
  const ignored = await readFile(workshop.path('my-operator/.gitignore'), 'utf8');
  assert.equal(ignored, 'secrets/\nnode_modules/\n.kubewright/\ndist/\n*.log\n.DS_Store\n');
  assert.match(
    (await workshop.run('my-operator', '--force', '--no-install', '--no-git')).output,
    /^my-operator already exists/,
  );
  await writeFile(workshop.path('my-operator/package.json'), '{}');
  const taken = await workshop.run('my-operator', '--force', '--no-install', '--no-git');
  assert.match(
    taken.output,
    /my-operator: the folder already contains package\.json; move them away, or specify another folder$/,
  );
});

test('create-operator accepts a new repository with a license, and refuses a file at the path of the folder', async (t) => {
  const workshop = await Workshop.open(t);
  await mkdir(workshop.path('cloned/.git'), { recursive: true });
  await writeFile(workshop.path('cloned/LICENSE'), 'mine');
  assert.equal((await workshop.run('cloned', '--no-install', '--no-git')).exitCode, 0);
  await writeFile(workshop.path('taken'), '');
  const { exitCode, output } = await workshop.run('taken', '--no-install');
  assert.equal(exitCode, 1);
  assert.match(output, /taken: the path is a file; specify another folder/);
});

test('create-operator reports a missing package manager before it writes any file', async (t) => {
  const workshop = await Workshop.open(t);
  assert.equal(await findProgram('pnpm', workshop.env), undefined);
  const { exitCode, output } = await workshop.run('x', '--package-manager', 'pnpm');
  assert.equal(exitCode, 4);
  assert.match(
    output,
    /cannot create the project: pnpm is not in PATH; install pnpm, pass another program with --package-manager, or pass --no-install/,
  );
  assert.deepEqual(await workshop.files('.'), []);
});

test('create-operator keeps the project and prints the remaining commands if the installation fails', async (t) => {
  const workshop = await Workshop.open(t);
  await workshop.program('yarn', 'echo "error getaddrinfo ENOTFOUND registry" >&2; exit 1');
  const { exitCode, output } = await workshop.run('x', '--package-manager', 'yarn', '--no-git');
  assert.equal(exitCode, 4);
  assert.match(
    output,
    /yarn cannot install the packages: getaddrinfo ENOTFOUND registry\nThe project is created. Continue with:\n  cd x\n  yarn install\n  yarn run generate$/,
  );
  assert.ok((await workshop.files('x')).includes('package.json'));
});

test('create-operator keeps the project and prints the remaining commands if the command is canceled during the installation', async (t) => {
  const workshop = await Workshop.open(t);
  await workshop.program('npm', `exec "${process.execPath}" -e 'setInterval(() => {}, 1e9)'`);
  const { exitCode, output } = await workshop.runUntil(new AbortController(), 'installing', 'x', '--no-git');
  assert.equal(exitCode, 130);
  assert.match(
    output,
    /\ncanceled: npm was terminated\nThe project is created. Continue with:\n  cd x\n  npm install\n  npm run generate$/,
  );
});

test('create-operator generates the manifests with the installed kubewright command before the first commit', {
  skip: git === undefined && 'git is not in PATH',
}, async (t) => {
  const workshop = await Workshop.open(t);
  await workshop.useGit();
  await workshop.nodeProgram(
    'npm',
    `import { mkdirSync, writeFileSync } from 'node:fs';
     const folder = 'node_modules/@kubewright/cli';
     mkdirSync(folder, { recursive: true });
     writeFileSync(folder + '/package.json', '{ "name": "@kubewright/cli", "bin": { "kubewright": "bin.mjs" } }');
     writeFileSync(folder + '/bin.mjs', \`import { writeFileSync } from 'node:fs';
                                       writeFileSync('config/made-by.txt', process.argv.slice(2).join(' '));\`);`,
  );
  const { exitCode, output } = await workshop.run('x');
  assert.equal(exitCode, 0, output);
  assert.match(output, /generated config\/\ncommitted to a new git repository\n/);
  const ran = (...args: readonly string[]) => runProgram('git', args, { cwd: workshop.path('x'), env: workshop.env });
  assert.equal((await ran('branch', '--show-current')).output, 'main\n');
  assert.equal((await ran('status', '--short')).output, '');
  assert.equal((await ran('show', 'HEAD:config/made-by.txt')).output, 'generate');

  const inside = await workshop.run('x/nested', '--no-install');
  assert.doesNotMatch(inside.output, /git/);
});

test('create-operator stages the files without a commit if git has no configured author', async (t) => {
  const workshop = await Workshop.open(t);
  const script = 'case "$*" in *commit*|rev-parse*|var*) exit 128;; esac';
  await workshop.program('git', script);
  assert.match(
    (await workshop.run('x', '--no-install')).output,
    /set user\.name and user\.email in git, and then run: git commit/,
  );
});

test('create-operator stages the files and prints the output of git if the commit fails', async (t) => {
  const workshop = await Workshop.open(t);
  await workshop.program(
    'git',
    'case "$*" in rev-parse*) exit 128;; *commit*) echo "fatal: no space left"; exit 128;; esac',
  );
  const { exitCode, output } = await workshop.run('x', '--no-install');
  assert.equal(exitCode, 0, output);
  assert.match(output, /git cannot commit: fatal: no space left; fix the cause, and then run: git commit -m /);
});
