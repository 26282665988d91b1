import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { dynamicKind, type KubeObject } from '@kubewright/api';
import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { Lease } from '@kubewright/api/coordination/v1';
import { Namespace, Node, Pod } from '@kubewright/api/core/v1';
import { ApiServer } from '@kubewright/apiserver';
import { connect } from '@kubewright/runtime';
import { TestEnvironment } from '@kubewright/testing';
import { FixtureProject } from './fixture-project.js';
import { RunningCommand } from './running-command.js';

interface Foo extends KubeObject {
  readonly spec: { readonly count: number };
  readonly status?: { readonly counted?: number };
}
const Foo = dynamicKind('example.com/v1', 'Foo') as unknown as new () => Foo;
const key = { namespace: 'default', name: 'one' };
const sample = (count: number): string =>
  `apiVersion: example.com/v1\nkind: Foo\nmetadata:\n  name: one\nspec:\n  count: ${count}\n`;
const SAMPLE = 'config/samples/v1_foo.yaml';
const CONTROLLER = 'src/controllers/foo-controller.ts';

/** A kind of another operator, and a controller for this kind. */
const FOREIGN = {
  'src/external/bar.ts': `import { CustomResource, Field, Kind } from '@kubewright/api';

export class BarSpec {
  @Field.string() text!: string;
}
export class BarStatus {
  @Field.string({ optional: true }) phase?: string;
}
@Kind({ group: 'example.org', version: 'v1', external: true })
export class Bar extends CustomResource(BarSpec, BarStatus) {}
`,
  [CONTROLLER]: `import { Client, Controller, type Reconciler, Result } from '@kubewright/runtime';
import { Bar } from '../external/bar.js';

@Controller({ for: Bar, reconcileCondition: false })
export class FooController implements Reconciler<Bar> {
  constructor(private readonly client: Client) {}

  async reconcile(bar: Bar): Promise<Result> {
    await this.client.patchStatus(bar, { phase: bar.spec.text });
    return Result.done();
  }
}
`,
  'config/samples/bar.yaml': `apiVersion: example.org/v1
kind: Bar
metadata: { name: two }
spec: { text: Well }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: three }
`,
};

async function status(kubeconfig: string): Promise<Foo['status']> {
  await using cluster = await connect({ kubeconfig });
  return (await cluster.client.live.get(Foo, key)).status;
}
async function counted(kubeconfig: string, desired: number): Promise<void> {
  await using cluster = await connect({ kubeconfig });
  await cluster.cache.until(Foo, key, (foo) => foo.status?.counted === desired, { timeout: '30s' });
}

describe('kubewright dev', () => {
  it('kubewright dev runs the operator with its kinds and samples, and reloads all of them after a save', async () => {
    await using project = await FixtureProject.create({ [SAMPLE]: sample(1) });
    await using dev = new RunningCommand(project.start(['dev']));
    await dev.until(/^foo-operator on a local API server at https:\/\/127\.0\.0\.1:\d+$/);
    const line = await dev.until(/^\$ KUBECONFIG=\S+ kubectl get foos -A$/);
    const kubeconfig = join(project.root, /KUBECONFIG=(\S+)/.exec(line)?.[1] ?? '');
    assert.equal(kubeconfig, join(project.root, '.kubewright', 'kubeconfig'));
    assert.equal(await project.read('.kubewright/.gitignore'), '*\n');
    await dev.until(/^running after \d+ ms \(compile \d+, stop \d+, load \d+, kinds \d+, start \d+\)$/);
    await dev.until(/^applied Foo default\/one from config\/samples\/v1_foo\.yaml$/);
    await counted(kubeconfig, 1);

    await project.edit(CONTROLLER, 'foo.spec.count', '10 * foo.spec.count');
    await dev.until(/^running after/);
    await counted(kubeconfig, 10);

    await project.edit(CONTROLLER, '10 * ', "'10' * ");
    await dev.until(/^src\/controllers\/foo-controller\.ts:10:\d+: The left-hand side .* \(TS2362\)$/);
    await dev.until(/^the previous version of the operator continues to run; waiting for the next save$/);
    await project.write(SAMPLE, sample(2));
    await dev.until(/^applied Foo default\/one/);
    await counted(kubeconfig, 20);

    await project.edit(CONTROLLER, "'10' * ", '');
    await project.edit(
      'src/api/v1/foo.ts',
      '@Kind(',
      "@PrintColumn({ name: 'Counted', jsonPath: '.status.counted' })\n@Kind(",
    );
    await project.edit('src/api/v1/foo.ts', 'Kind }', 'Kind, PrintColumn }');
    await dev.until(/^changed foos\.example\.com$/);
    await dev.until(/^● Foo default\/one +COUNTED 2$/);

    dev.child.kill('SIGINT');
    assert.equal(await dev.closed, 0);
    await assert.rejects(status(kubeconfig), { code: 'REQUEST_FAILED' });
    assert.ok(
      !dev.lines.some((line) => line.includes('settings from environment variables')),
      'the command reported settings that no environment variable has set',
    );
  });

  it('kubewright dev stops immediately while the program still loads', async () => {
    await using project = await FixtureProject.create();
    const main = await project.read('src/main.ts');
    const wait = 'await new Promise(() => setInterval(() => undefined, 1000));';
    await project.write('src/main.ts', `console.log('loading');\n${wait}\n${main}`);
    await using dev = new RunningCommand(project.startHere(['dev']));
    await dev.until(/^loading$/);
    dev.child.kill('SIGINT');
    assert.equal(await dev.closed, 0);
  });

  it('kubewright dev starts a new program after a save while the old program still loads', async () => {
    await using project = await FixtureProject.create({ [SAMPLE]: sample(1) });
    const main = await project.read('src/main.ts');
    const wait = 'await new Promise(() => setInterval(() => undefined, 1000));';
    await project.write('src/main.ts', `console.log('loading');\n${wait}\n${main}`);
    await using dev = new RunningCommand(project.startHere(['dev']));
    await dev.until(/^loading$/);
    await project.write('src/main.ts', main);
    await dev.until(/^running after/);
    await dev.until(/^applied Foo/);
    assert.ok(!dev.lines.some((line) => line.startsWith('error:')), dev.lines.join('\n'));
  });

  it('kubewright dev starts a program although a later save has compile errors', async () => {
    await using project = await FixtureProject.create({ [SAMPLE]: sample(1) });
    const main = await project.read('src/main.ts');
    const wait = `import { existsSync } from 'node:fs';
console.log('loading');
while (!existsSync('loaded')) await new Promise((resolve) => setTimeout(resolve, 20));
`;
    await project.write('src/main.ts', `${wait}${main}`);
    await using dev = new RunningCommand(project.startHere(['dev']));
    await dev.until(/^loading$/);
    await project.edit(CONTROLLER, 'foo.spec.count', "'10' * foo.spec.count");
    await dev.until(/waiting for the next save$/);
    await project.write('loaded', '');
    await dev.until(/^running after/);
    await dev.until(/^applied Foo/);
  });

  it('kubewright dev reports why an operator has ended, and starts the operator again after the next save', async () => {
    await using project = await FixtureProject.create({ [SAMPLE]: sample(1) });
    const wait = 'await this.client.patchStatus';
    await project.edit(
      CONTROLLER,
      wait,
      `setImmediate(() => {\n      throw new Error('out of luck');\n    });\n    ${wait}`,
    );
    await using dev = new RunningCommand(project.startHere(['dev']));
    await dev.until(/^running after/);
    await dev.until(
      /^error: the operator exited with code 1: src\/controllers\/foo-controller\.ts:11:\d+: out of luck$/,
    );
    await dev.until(/^waiting for the next save$/);
    // The message does not say that the previous version continues to run, because the previous version has ended.
    await project.edit(CONTROLLER, "throw new Error('out of luck');", "'10' * 2;");
    await dev.until(/TS2362/);
    await dev.until(/^waiting for the next save$/);
    await project.edit(CONTROLLER, "'10' * 2;", '');
    await dev.until(/^running after/);
    await project.edit('src/main.ts', 'new Manager({', 'new Manager({ nothing: 1,');
    await dev.until(/TS2353/);
    await project.edit('src/main.ts', 'new Manager({ nothing: 1,', "new Manager({ signals: ['nonsense' as never],");
    await dev.until(
      /^error: the operator exited with code 1: src\/main\.ts:4:\d+: cannot create a manager: signals is/,
    );
    await dev.until(/^waiting for the next save$/);
    await project.edit('src/main.ts', " signals: ['nonsense' as never],", '');
    await dev.until(/^running after/);
  });

  it('kubewright dev --once exits with 0 when the samples are in the desired state, and otherwise exits with 1 and reports the reason', async () => {
    await using project = await FixtureProject.create({ [SAMPLE]: sample(3) });
    // The class in an RBAC rule cannot be sent to another process. The command must still read the declarations.
    await project.edit(CONTROLLER, 'Client, Controller,', 'Client, Controller, Rbac,');
    await project.edit(CONTROLLER, '@Controller(', "@Rbac({ kind: Foo, verbs: ['patch'] })\n@Controller(");
    const well = await project.run(['dev', '--once']);
    assert.match(well.stdout, /^all samples are in the desired state$/m);
    assert.equal(well.exitCode, 0, well.stderr);
    await project.edit(
      'src/api/v1/foo.ts',
      'counted?: number;',
      'counted?: number;\n  @Field.string({ optional: true }) phase?: string;',
    );
    await project.edit(CONTROLLER, 'counted: foo.spec.count', "phase: 'Counting'");
    const ill = await project.run(['dev', '--once', '--timeout', '15s']);
    assert.equal(ill.exitCode, 1);
    assert.match(
      ill.stderr,
      /error: the samples did not reach the desired state within 15 s:\n {2}Foo one: its phase is Counting\n$/,
    );
  });

  it('kubewright dev --once reports only the samples if the program is still loading when the timeout expires', async () => {
    await using project = await FixtureProject.create({ [SAMPLE]: sample(3) });
    await project.edit('src/main.ts', 'await manager.start();', 'await new Promise(() => setInterval(() => 0, 1000));');
    assert.deepEqual(
      await project.run(['dev', '--once', '--timeout', '8s']).then(({ exitCode, stderr }) => ({ exitCode, stderr })),
      {
        exitCode: 1,
        stderr:
          'error: the samples did not reach the desired state within 8 s:\n  the operator: not all samples are applied yet\n',
      },
    );
  });

  it('kubewright dev simulates the declared nodes and the stated behavior of Pods, and refuses files that do not exist', async () => {
    await using project = await FixtureProject.create({
      [SAMPLE]: sample(1),
      'pods.yaml': '- selector: app=web\n  behaviour: { exitCode: 1 }\n',
    });
    for (const flag of ['--nodes', '--pod-behaviours']) {
      const { exitCode, stdout, stderr } = await project.run(['dev', '--once', flag, 'missing.yaml']);
      assert.deepEqual([exitCode, stdout], [2, ''], stderr);
      const lead = `error: ${flag} missing.yaml is not valid: ENOENT: no such file or directory`;
      assert.ok(stderr.startsWith(lead) && stderr.endsWith('; see kubewright dev --help\n'), stderr);
      assert.equal(stderr.trim().split('\n').length, 1);
    }
    await using dev = new RunningCommand(project.start(['dev', '--nodes', '2', '--pod-behaviours', 'pods.yaml']));
    await dev.until(/^running after/);
    await using cluster = await connect({ kubeconfig: join(project.root, '.kubewright', 'kubeconfig') });
    assert.equal((await cluster.client.live.list(Node)).length, 2);
    const metadata = { name: 'web', namespace: 'default', labels: { app: 'web' } };
    await cluster.client.create(
      new Pod({ metadata, spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } }),
    );
    await cluster.cache.until(Pod, metadata, ({ status: now }) => now?.phase === 'Failed', { timeout: '30s' });
  });

  it('kubewright dev --once ends immediately after an error that requires an edit', async () => {
    await using project = await FixtureProject.create({ [SAMPLE]: sample(-1) });
    const refused = await project.run(['dev', '--once']);
    assert.equal(refused.exitCode, 4);
    assert.match(refused.stderr, /^error: apply Foo default\/one: .*spec\.count.*greater than or equal to 0/m);
    await project.edit('src/main.ts', 'await manager.start();', "throw new Error('out of luck');");
    const ended = await project.run(['dev', '--once']);
    assert.equal(ended.exitCode, 3);
    assert.match(ended.stderr, /^error: the operator exited with code 1: src\/main\.ts:6:\d+: out of luck$/m);
    await project.edit(CONTROLLER, 'foo.spec.count', "10 * '10'");
    const wrong = await project.run(['dev', '--once']);
    assert.equal(wrong.exitCode, 3);
    assert.match(wrong.stderr, /^src\/controllers\/foo-controller\.ts:10:\d+: .* \(TS2363\)$/m);
    for (const { stderr } of [refused, ended, wrong]) assert.doesNotMatch(stderr, /waiting|after 60 s/);
  });

  it('kubewright dev serves the kinds of other operators on its own server, but does not change them in an existing cluster', async () => {
    await using project = await FixtureProject.create(FOREIGN);
    const own = await project.run(['dev', '--once', '--data', 'objects']);
    assert.equal(own.exitCode, 0, own.stderr);
    assert.match(own.stdout, /kubectl get foos,bars -A$/m);
    assert.match(own.stdout, /^● Bar default\/two +PHASE Well$/m);

    await using env = await TestEnvironment.start();
    const KUBECONFIG = join(project.root, 'kubeconfig');
    await env.writeKubeconfig(KUBECONFIG);
    await using api = await ApiServer.start({ data: join(project.root, 'objects') });
    await using kept = await connect({
      connection: { server: api.url, ca: api.certificateAuthority, token: api.token },
    });
    const name = 'bars.example.org';
    const { spec } = await kept.client.live.get(CustomResourceDefinition, { name });
    const theirs = await env.client.create(
      new CustomResourceDefinition({
        metadata: { name },
        spec: { ...spec, names: { ...spec.names, shortNames: ['ba'] } },
      }),
    );
    const there = await project.run(['dev', '--once', '--cluster'], { KUBECONFIG });
    assert.equal(there.exitCode, 0, there.stderr);
    assert.match(there.stdout, /^● Bar default\/two +PHASE Well$/m);
    assert.deepEqual((await env.client.live.get(CustomResourceDefinition, { name })).spec, theirs.spec);
  });

  it('kubewright dev connects the operator to the server of the command, regardless of the environment and the code of the operator', async () => {
    await using project = await FixtureProject.create({ [SAMPLE]: sample(3) });
    await project.edit('src/main.ts', 'new Manager({', "new Manager({ kubeconfig: '/nowhere/of/code',");
    const elsewhere = { KUBECONFIG: '/nowhere', KUBEWRIGHT_KUBECONFIG: '/nowhere/at/all', KUBEWRIGHT_CONTEXT: 'other' };
    const { exitCode, stderr } = await project.run(['dev', '--once'], elsewhere);
    assert.equal(exitCode, 0, stderr);
  });

  it('kubewright dev reports a kubeconfig that cannot be read, in the command and in the operator', async () => {
    await using project = await FixtureProject.create({ [SAMPLE]: sample(3), broken: 'clusters: {' });
    const KUBECONFIG = join(project.root, 'broken');
    const { exitCode, stdout, stderr } = await project.run(['dev', '--once', '--cluster'], { KUBECONFIG });
    assert.deepEqual([exitCode, stdout], [4, '']);
    assert.match(stderr, /^error: kubeconfig .+\/broken: /);
    await using dev = new RunningCommand(project.startHere(['dev', '--', '--kubeconfig=broken']));
    await dev.until(/^error: the operator exited with code 1: .*kubeconfig broken: /);
    await dev.until(/^waiting for the next save$/);
  });

  it('kubewright dev --data continues with the objects of the previous run', async () => {
    await using project = await FixtureProject.create({ [SAMPLE]: sample(3) });
    await project.run(['dev', '--once', '--data', 'objects']);
    const again = await project.run(['dev', '--once', '--data', 'objects']);
    assert.equal(again.exitCode, 0, again.stderr);
    assert.doesNotMatch(again.stdout, /^applied/m);
    assert.match(again.stdout, /which stores its objects in objects$/m);
  });

  it('kubewright dev ends its server, compiler and operator when the shell of the npm script ends', async () => {
    await using project = await FixtureProject.create({ [SAMPLE]: sample(3) });
    await using script = new RunningCommand(project.startInShell(['dev']));
    const [, pid] = / (\d+)$/.exec(await script.until(/^process \d+$/)) ?? [];
    const line = await script.until(/ on a local API server at /);
    await script.until(/^applied Foo/);
    try {
      script.child.kill('SIGTERM');
      await script.until(/^stopping$/);
    } catch (error) {
      process.kill(Number(pid), 'SIGKILL');
      throw error;
    }
    // The output of the shell closes when the command has ended. The command ends after its server, compiler and operator.
    await script.closed;
    const [, url = ''] = /(https:\S+)$/.exec(line) ?? [];
    await assert.rejects(fetch(url), ({ cause }: Error & { readonly cause?: { readonly code?: string } }) => {
      return cause?.code === 'ECONNREFUSED';
    });
  });

  it('kubewright dev --cluster uses the cluster of the kubeconfig, and requires confirmation for a cluster that does not look local', async () => {
    await using env = await TestEnvironment.start();
    await using project = await FixtureProject.create({ [SAMPLE]: sample(4) });
    const KUBECONFIG = join(project.root, 'kubeconfig');
    await env.writeKubeconfig(KUBECONFIG);
    const { exitCode, stdout, stderr } = await project.run(['dev', '--once', '--cluster'], { KUBECONFIG });
    assert.equal(exitCode, 0, stderr);
    assert.match(stdout, /^foo-operator on the cluster of context '.*' \(https:\/\/127/);
    assert.equal((await status(KUBECONFIG))?.counted, 4);
    assert.equal(stderr, '');
    const namespace = 'foo-operator-system';
    await env.client.create(new Namespace({ metadata: { name: namespace } }));
    const renewTime = new Date().toISOString().replace('Z', '000Z');
    const spec = { holderIdentity: 'pod_1', leaseDurationSeconds: 3600, renewTime };
    await env.client.create(new Lease({ metadata: { name: 'foo-operator', namespace }, spec }));
    assert.equal(
      (await project.run(['dev', '--once', '--cluster'], { KUBECONFIG })).stderr,
      "warning: the operator also runs in the cluster: 'pod_1' holds the Lease foo-operator-system/foo-operator. Both reconcile the same objects.\n" +
        '  to pause it, stop the process that holds the Lease\n' +
        '  to take part in the election instead: kubewright dev --cluster --leader-elect\n',
    );
    const text = await project.read('kubeconfig');
    await project.write('kubeconfig', text.replace(/https:\/\/127\.0\.0\.1:/, 'https://0.0.0.0:'));
    const refused = await project.run(['dev', '--once', '--cluster'], { KUBECONFIG });
    assert.equal(refused.exitCode, 2);
    assert.match(
      refused.stderr,
      /^error: did not install the kinds and the samples of the project: .*does not seem to run on this machine; pass --yes/,
    );
    const alone = await project.run(['dev', '--once', '--leader-elect']);
    assert.deepEqual(
      [alone.exitCode, alone.stderr],
      [2, 'error: --leader-elect requires --cluster: add --cluster, or remove --leader-elect\n'],
    );
  });
});
