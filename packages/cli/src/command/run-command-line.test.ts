import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KubewrightError } from '@kubewright/api/errors';
import { ScaffoldError } from 'create-operator';
import { ProgramFolder } from '../test-support/program-folder.js';
import { runRecorded } from '../test-support/run-recorded.js';
import { cliVersion } from './cli-version.js';
import { CommandContext } from './command-context.js';
import { commandModel } from './command-model.js';
import { ExitCode, exitCodeOf } from './exit-codes.js';
import { programOf } from './program.js';
import { reportError } from './report-error.js';

const cwd = '/';
const context = new CommandContext({ cwd, env: {}, stdout: { write: () => true }, stderr: { write: () => true } });
const program = commandModel(programOf(context));

describe('the CLI', () => {
  it('the CLI prints help with examples for the program and each command, in lines of at most 100 characters', async () => {
    const paths = (command: typeof program, path: readonly string[]): readonly (readonly string[])[] => [
      path,
      ...command.commands.filter(({ name }) => name !== 'help').flatMap((child) => paths(child, [...path, child.name])),
    ];
    for (const path of paths(program, [])) {
      const { exitCode, stdout, stderr } = await runRecorded([...path, '--help'], { cwd });
      const command = ['kubewright', ...path].join(' ');
      assert.equal(`${exitCode}${stderr}`, '0', command);
      assert.match(stdout, new RegExp(`^Usage: ${command} `), command);
      assert.match(stdout, /\nExamples:\n {2}\$ (npx |npm |source |kubectl )?/, `${command} has no examples`);
      assert.deepEqual(
        stdout.split('\n').filter((line) => line.length > 100),
        [],
        command,
      );
    }
  });
  it('the list of commands contains only the first clause of a long description', async () => {
    const { stdout } = await runRecorded(['add', '--help'], { cwd });
    assert.match(
      stdout,
      /^ {2}api +add a kind of your own\n {2}version +add a version of one of your kinds\n {2}controller +add a controller for a kind\n/m,
    );
  });
  it('kubewright --version prints the version', async () => {
    assert.deepEqual(await runRecorded(['--version'], { cwd }), {
      exitCode: 0,
      stdout: `${cliVersion()}\n`,
      stderr: '',
    });
  });
  it('kubewright reports invalid arguments in one line, with a suggestion', async () => {
    for (const [args, message] of [
      [['genrate'], "error: unknown command 'genrate'; did you mean generate?"],
      [['generate', '--chek'], "error: unknown option '--chek'; did you mean --check?"],
      [['completion', 'basj'], "error: argument 'basj' is invalid for 'shell': use bash, zsh or fish"],
      [['frobnicate'], "error: unknown command 'frobnicate'; see --help"],
      [['completion'], "error: missing required argument 'shell'; see --help"],
      [['add', 'api'], "error: required option '--kind <kind>' not specified; see --help"],
      [['deploy', '--image'], "error: option '--image <image>' argument missing; see --help"],
      [['help', 'genrate'], "error: unknown command 'genrate'; did you mean generate?"],
      [['help', 'add', 'kind'], "error: unknown command 'kind'; use one of api, version, controller, webhook"],
      [['help', 'build', 'x'], "error: build has no command 'x'"],
      [['run', '--controller', 'x'], 'error: --controller requires --plan: add --plan, or remove --controller'],
      [['run', '-n', 'x'], 'error: --namespace requires --plan: add --plan, or remove --namespace'],
      [
        ['run', '--plan', '--leader-elect'],
        "error: option '--leader-elect' cannot be used with option '--plan [object]'",
      ],
      [['dev', '--context', 'x'], 'error: --context requires --cluster: add --cluster, or remove --context'],
      [['dev', '--leader-elect'], 'error: --leader-elect requires --cluster: add --cluster, or remove --leader-elect'],
      [['dev', '--timeout', '5s'], 'error: --timeout requires --once: add --once, or remove --timeout'],
      [
        ['dev', '--cluster', '--nodes', '3'],
        "error: option '--cluster' cannot be used with option '--nodes <number|file>'",
      ],
      [['dev', '--cluster', '--port', '1'], "error: option '--cluster' cannot be used with option '--port <port>'"],
      [
        ['dev', '--kubernetes-version', '1.34'],
        "error: cannot serve Kubernetes version '1.34'; use 1.35, 1.36 or 1.37, or a patch version such as 1.36.3",
      ],
      [
        ['doctor', '--kubeconfig', 'x'],
        'error: --kubeconfig requires --cluster: add --cluster, or remove --kubeconfig',
      ],
      [
        ['diff', '--context', 'x'],
        'error: --context requires --against cluster: add --against cluster, or remove --context',
      ],
      [
        ['add', 'controller', '--kind', 'A', '--context', 'x'],
        'error: --context requires --from-cluster: add --from-cluster, or remove --context',
      ],
      [['generate', '--watch', '--check'], "error: option '--watch' cannot be used with option '--check'"],
    ] as const) {
      assert.deepEqual(await runRecorded(args, { cwd }), {
        exitCode: ExitCode.usage,
        stdout: '',
        stderr: `${message}\n`,
      });
    }
  });
  it('kubewright help prints the help of a command or of a subcommand', async () => {
    for (const [args, usage] of [
      [['help'], 'kubewright COMMAND [options]'],
      [['help', 'generate'], 'kubewright generate [options]'],
      [['help', 'add', 'api'], 'kubewright add api [options]'],
    ] as const) {
      const { exitCode, stdout } = await runRecorded(args, { cwd });
      assert.deepEqual([exitCode, stdout.split('\n')[0]], [ExitCode.done, `Usage: ${usage}`]);
    }
  });
  it('kubewright without a command prints the help to stderr and exits with 2', async () => {
    const { exitCode, stdout, stderr } = await runRecorded([], { cwd });
    assert.deepEqual([exitCode, stdout], [ExitCode.usage, '']);
    assert.match(stderr, /^Usage: kubewright/);
  });
  it('kubewright prints an error in one line, and with --verbose also the stack of the error', async () => {
    const { exitCode, stdout, stderr } = await runRecorded(['generate'], { cwd });
    assert.deepEqual([exitCode, stdout], [ExitCode.usage, '']);
    assert.match(stderr, /^error: found no project in \/ or its parent folders: .*\n$/);
    const { stderr: more } = await runRecorded(['generate', '--verbose'], { cwd });
    assert.match(more, /^error: found no project .*\nKubewrightError: found .*\n {4}at /);
  });
  it('kubewright suggests --verbose after an internal error', () => {
    const written: string[] = [];
    const stderr = { write: (text: string) => written.push(text) };
    reportError(new TypeError('x is not a function'), new CommandContext({ cwd, env: {}, stdout: stderr, stderr }));
    assert.deepEqual(written, [
      'error: internal error: x is not a function\n',
      'run the command again with --verbose, and report the output\n',
    ]);
  });
});

describe('exit codes', () => {
  it('the exit code identifies the cause of an error', () => {
    assert.equal(exitCodeOf(new KubewrightError('NO_PROJECT', '')), ExitCode.usage);
    assert.equal(exitCodeOf(new KubewrightError('COMPILATION_FAILED', '')), ExitCode.project);
    assert.equal(exitCodeOf(new KubewrightError('REQUEST_FAILED', '')), ExitCode.cluster);
    assert.equal(exitCodeOf(new Error('x')), ExitCode.defect);
    assert.equal(exitCodeOf(undefined), ExitCode.defect);
    assert.equal(exitCodeOf(new ScaffoldError('INVALID_NAME', '')), ExitCode.usage);
    assert.equal(exitCodeOf(new ScaffoldError('INSTALL_FAILED', '')), ExitCode.cluster);
    assert.equal(exitCodeOf(new ScaffoldError('FILES_NOT_WRITTEN', '')), ExitCode.project);
  });
  it('the exit code is the same with --json', async () => {
    await using folder = await ProgramFolder.create({});
    const { exitCode, stdout } = await runRecorded(['generate', '--json'], { cwd: folder.root });
    assert.deepEqual([exitCode, stdout], [ExitCode.usage, '']);
  });
});

describe('colors', () => {
  const colored = async (args: readonly string[], env: NodeJS.ProcessEnv, isTTY: boolean): Promise<boolean> => {
    const written: string[] = [];
    const stream = { isTTY, write: (text: string) => written.push(text) };
    await runRecorded(['generate', ...args], { cwd, env, stdout: stream, stderr: stream });
    return written.join('').includes('\u001B[');
  };
  it('output has colors on a terminal by default; FORCE_COLOR, NO_COLOR, and --no-color override the default', async () => {
    assert.equal(await colored([], {}, true), true);
    assert.equal(await colored([], {}, false), false);
    assert.equal(await colored([], { TERM: 'dumb' }, true), false);
    assert.equal(await colored([], { NO_COLOR: '1' }, true), false);
    assert.equal(await colored([], { NO_COLOR: '' }, true), true);
    assert.equal(await colored([], { FORCE_COLOR: '1' }, false), true);
    assert.equal(await colored([], { FORCE_COLOR: '1', NO_COLOR: '1' }, false), true);
    assert.equal(await colored([], { FORCE_COLOR: '0' }, true), false);
    assert.equal(await colored(['--no-color'], { FORCE_COLOR: '1' }, true), false);
  });
});

describe('questions', () => {
  const interactive = (terminal: boolean, env: NodeJS.ProcessEnv, options: object): boolean => {
    const stream = { write: () => true };
    const requested = new CommandContext({ cwd, env, stdout: stream, stderr: stream, terminal });
    requested.handle(options);
    return requested.interactive;
  };
  it('commands ask questions only on a terminal, and not with --yes, --json, or CI', () => {
    assert.equal(interactive(true, {}, {}), true);
    assert.equal(interactive(true, { CI: 'false' }, {}), true);
    assert.equal(interactive(false, {}, {}), false);
    assert.equal(interactive(true, { CI: '1' }, {}), false);
    assert.equal(interactive(true, {}, { yes: true }), false);
    assert.equal(interactive(true, {}, { json: true }), false);
  });
});
