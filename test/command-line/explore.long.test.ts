import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { exploredBugs, explorableProject } from './explored-bugs.js';
import type { FixtureProject } from './fixture-project.js';
import { repository } from './fixture-project.js';
import { RunningCommand } from './running-command.js';

/** A budget that no test exhausts. The tests stop the command when they have seen the problem. */
const UNTIL_STOPPED = ['--budget', '1h', '--workers', '2'];

/** Explores until the command reports a problem of the rule. Stops the command, and returns its whole output. */
async function exploreUntil(project: FixtureProject, rule: string, ...args: readonly string[]): Promise<string> {
  await using command = new RunningCommand(project.startHere(['explore', ...UNTIL_STOPPED, ...args]));
  await command.until(new RegExp(`^found .*\\(${rule}\\)$`));
  command.child.kill('SIGINT');
  assert.equal(await command.closed, 130);
  return command.lines.join('\n');
}

describe('kubewright explore', () => {
  for (const bug of exploredBugs) {
    it(`writes a test for a bug of the rule ${bug.rule}, which fails until the bug is corrected`, async () => {
      await using project = await explorableProject(bug.buggy);
      const output = await exploreUntil(project, bug.rule, '--write', 'src/found.test.ts');
      assert.match(output, /^wrote src\/found\.test\.ts$/m);
      const test = await project.read('src/found.test.ts');
      assert.match(test, /TestEnvironment\.start\(/);
      assert.doesNotMatch(test, /\bexplore\b/);
      assert.notEqual(await compileAndTest(project), 0, test);
      await project.write('src/controllers/foo-controller.ts', bug.correct);
      assert.equal(await compileAndTest(project), 0, test);
    });
  }

  it('saves each problem, and replays it with exit code 1 until the bug is corrected', async () => {
    const [bug] = exploredBugs;
    assert.ok(bug !== undefined);
    await using project = await explorableProject(bug.buggy);
    const output = await exploreUntil(project, bug.rule);
    const [, path = ''] = /explore --replay (\.kubewright\/explore\/\w+\.json)/.exec(output) ?? [];
    const violated = await project.run(['explore', '--replay', path]);
    assert.equal(violated.exitCode, 1, violated.stderr);
    assert.match(violated.stdout, /^\d+ ms: reconcile foo Foo default\/subject started: added/m);
    assert.match(violated.stdout, /^the history violates the rule$/m);

    await project.write('src/controllers/foo-controller.ts', bug.correct);
    const corrected = await project.run(['explore', '--replay', path]);
    assert.equal(corrected.exitCode, 0, corrected.stdout);
    assert.match(corrected.stdout, /^the history does not violate the rule$/m);
    const explored = await project.run(['explore', '--budget', '1s', '--workers', '1']);
    assert.equal(explored.exitCode, 0, explored.stdout);
    assert.match(explored.stdout, /^found nothing in \d+ s: \d+ trials?, \d+ fields? with \d+ values?, crashes in/m);
    assert.equal((await readdir(join(project.root, '.kubewright', 'explore'))).length, 1);
  });

  it('does not report findings in explore.accepted.json', async () => {
    const [bug] = exploredBugs;
    assert.ok(bug !== undefined);
    await using project = await explorableProject(bug.buggy);
    const output = await exploreUntil(project, bug.rule);
    const signatures = [...output.matchAll(/accept: add (".*") with a reason/g)].map(
      ([, text = '']) => JSON.parse(text) as string,
    );
    assert.ok(signatures.length > 0);
    const accepted = Object.fromEntries(signatures.map((signature) => [signature, 'intended']));
    await project.write('explore.accepted.json', JSON.stringify(accepted));
    const again = await project.run(['explore', '--budget', '1s', '--workers', '1']);
    assert.match(again.stdout, /^found nothing in/m);
    assert.equal(again.exitCode, 0);
  });

  it('explores only the kind and the field of the options', async () => {
    const [bug] = exploredBugs;
    assert.ok(bug !== undefined);
    await using project = await explorableProject(bug.correct);
    const { stdout, exitCode } = await project.run([
      'explore',
      '--kind',
      'foos',
      '--field',
      'spec.count',
      '--budget',
      '5s',
    ]);
    assert.match(stdout, /[,:] [01] fields? with/);
    assert.equal(exitCode, 0, stdout);
    const unknown = await project.run(['explore', '--kind', 'bar', '--budget', '5s']);
    assert.match(
      unknown.stderr,
      /^error: cannot explore the operator: no controller of this project reconciles 'bar'$/m,
    );
    assert.equal(unknown.exitCode, 2);
  });

  it('refuses connections to other systems, names them, and exits with 3 if no object can be realized', async () => {
    await using project = await explorableProject(`import { connect } from 'node:net';
import { once } from 'node:events';
import { Controller, type Reconciler, Result } from '@kubewright/runtime';
import { Foo } from '../api/v1/foo.js';

@Controller({ for: Foo })
export class FooController implements Reconciler<Foo> {
  async reconcile(_foo: Foo): Promise<Result> {
    await once(connect({ host: 'db.example.com', port: 5432 }), 'connect');
    return Result.done();
  }
}
`);
    const { stderr, exitCode } = await project.run(['explore', '--budget', '10s', '--workers', '1']);
    const refused = 'the operator connects to db.example.com:5432 at src/controllers/foo-controller.ts:9:';
    assert.ok(stderr.includes(`warning: ${refused}`), stderr);
    assert.match(stderr, /provide a fake of the system with the option external$/m);
    assert.match(stderr, /^error: cannot explore example\.com\/v1 Foo: .*db\.example\.com:5432/m);
    assert.equal(exitCode, 3);
  });

  it('reports a trial in which the operator blocks its process, and continues with the other trials', async () => {
    await using project =
      await explorableProject(`import { Client, Controller, type Reconciler, Result } from '@kubewright/runtime';
import { ConfigMap } from '@kubewright/api/core/v1';
import { Foo } from '../api/v1/foo.js';

@Controller({ for: Foo, owns: [ConfigMap] })
export class FooController implements Reconciler<Foo> {
  constructor(private readonly client: Client) {}

  async reconcile(foo: Foo): Promise<Result> {
    for (let waits = foo.spec.cache === true; waits; );
    const data = { count: String(foo.spec.count), cache: String(foo.spec.cache) };
    await this.client.applyOwned(foo, [new ConfigMap({ metadata: { name: foo.metadata.name }, data })]);
    return Result.done();
  }
}
`);
    await using command = new RunningCommand(project.startHere(['explore', '--budget', '1h', '--workers', '1']));
    await command.until(/^found Foo: the operator does not end a step \(converges\)$/);
    await command.until(/: \d\d+ trials, /);
    command.child.kill('SIGINT');
    assert.equal(await command.closed, 130);
    const output = command.lines.join('\n');
    const [, path = ''] = /explore --replay (\S+)/.exec(output) ?? [];
    const replayed = await project.run(['explore', '--replay', path]);
    assert.match(replayed.stdout, /^ {2}pending: code .*\nthe history violates the rule$/m);
    assert.equal(replayed.exitCode, 1);
    assert.match(output, /^ {2}pending: code of the operator that has occupied the CPU for 20 s/m);
    assert.match(output, /^ {4}\d\. (create|change) Foo subject: spec \{.*cache: true/m);
  });

  it('reports a rejected promise that the operator does not handle, and the place of the error', async () => {
    await using project =
      await explorableProject(`import { Client, Controller, type Reconciler, Result } from '@kubewright/runtime';
import { ConfigMap } from '@kubewright/api/core/v1';
import { Foo } from '../api/v1/foo.js';

@Controller({ for: Foo, owns: [ConfigMap] })
export class FooController implements Reconciler<Foo> {
  constructor(private readonly client: Client) {}

  async reconcile(foo: Foo): Promise<Result> {
    if (foo.spec.cache === true) void Promise.reject(new Error('the cache is full'));
    const data = { count: String(foo.spec.count), cache: String(foo.spec.cache) };
    await this.client.applyOwned(foo, [new ConfigMap({ metadata: { name: foo.metadata.name }, data })]);
    return Result.done();
  }
}
`);
    const output = await exploreUntil(project, 'exception');
    assert.match(output, /^Foo: an error or a rejected promise is not handled \(exception\)$/m);
    assert.match(output, /^ {2}src\/controllers\/foo-controller\.ts:10:\d+: the cache is full$/m);
  });
});

/** Compiles the project and runs its tests. Returns the exit code of the tests. Throws if the project does not compile. */
async function compileAndTest(project: FixtureProject): Promise<number> {
  const tsc = join(repository, 'node_modules/typescript/bin/tsc');
  const compiled = await ran([tsc, '-p', project.root], project.root);
  assert.equal(compiled.code, 0, compiled.output);
  return (await ran(['--test'], join(project.root, 'dist'))).code;
}

function ran(args: readonly string[], cwd: string): Promise<{ readonly code: number; readonly output: string }> {
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd, env, maxBuffer: 2 ** 26 }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? 1, output: `${stdout}${stderr}` });
    });
  });
}
