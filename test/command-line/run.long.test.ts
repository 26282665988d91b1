import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dynamicKind, type KubeObject } from '@kubewright/api';
import { Lease } from '@kubewright/api/coordination/v1';
import { Secret } from '@kubewright/api/core/v1';
import { ApiServer, type FaultPlan } from '@kubewright/apiserver';
import type { Plan } from '@kubewright/runtime';
import { join } from 'node:path';
import { ClusterProject } from './cluster-projects.js';
import { FixtureProject } from './fixture-project.js';
import { RunningCommand } from './running-command.js';

interface Foo extends KubeObject {
  readonly spec: { readonly count: number };
  readonly status?: { readonly counted?: number };
}
const Foo = dynamicKind('example.com/v1', 'Foo') as unknown as new (init: object) => Foo;
const foo = (name: string, count: number): Foo =>
  new Foo({ metadata: { name, namespace: 'default' }, spec: { count } });
/** Returns the fields of a Lease that was renewed now. */
const renewed = () => {
  const now = new Date().toISOString().replace('Z', '000Z');
  return { acquireTime: now, renewTime: now };
};
const CONTROLLER = 'src/controllers/foo-controller.ts';

describe('kubewright run', () => {
  it('kubewright run runs the operator against the cluster with the given flags, and stops the operator on SIGINT', async () => {
    await using cluster = await ClusterProject.create();
    await cluster.done(['install']);
    const made = await cluster.env.client.create(foo('one', 3));
    await using run = new RunningCommand(cluster.project.start(['run', '--', '--log-level=debug'], cluster.variables));
    await run.until(/^running foo-operator on this machine against the cluster of context /);
    await run.until(/"logLevel":\{"value":"debug","by":"--log-level"\}/);
    await cluster.env.until(made, ({ status }) => status?.counted === 3);
    run.child.kill('SIGINT');
    await run.until(/"signal":"SIGTERM","msg":"stopping"/);
    assert.equal(await run.closed, 0);
  });

  it('kubewright run warns if the operator also runs in the cluster; with --leader-elect, the operator takes part in the leader election', async () => {
    await using cluster = await ClusterProject.create();
    const { client } = cluster.env;
    await cluster.done(['deploy', '--image', 'example.com/foo:v1', '--no-wait']);
    const key = { name: 'foo-operator', namespace: 'foo-operator-system' };
    const lease = await client.create(
      new Lease({
        metadata: key,
        spec: { holderIdentity: 'pod_1', leaseDurationSeconds: 3600, leaseTransitions: 0, ...renewed() },
      }),
    );
    const made = await client.create(foo('one', 3));
    const { project, variables } = cluster;
    {
      await using run = new RunningCommand(project.start(['run'], variables));
      assert.equal(
        await run.until(/^warning:/),
        "warning: the operator also runs in the cluster: 'pod_1' holds the Lease foo-operator-system/foo-operator. Both reconcile the same objects.",
      );
      await run.until(
        /^ {2}to pause it: kubectl scale deployment foo-operator-controller-manager -n foo-operator-system --replicas=0$/,
      );
      await run.until(/^ {2}to take part in the election instead: kubewright run --leader-elect$/);
      await cluster.env.until(made, ({ status }) => status?.counted === 3);
    }
    await client.patch(made, { merge: { spec: { count: 4 } } });
    await using run = new RunningCommand(project.start(['run', '--leader-elect'], variables));
    await run.until(/"lease":"Lease foo-operator-system\/foo-operator".*"msg":"attempting to acquire the lease"/);
    assert.equal((await client.get(Foo, made.metadata)).status?.counted, 3);
    await client.patch(lease, { merge: { spec: { holderIdentity: '' } } });
    await cluster.env.until(made, ({ status }) => status?.counted === 4);
    assert.ok(!run.lines.some((line) => line.startsWith('warning:')), run.lines.join('\n'));
  });

  it('kubewright run uses the cluster that the settings of the operator select', async () => {
    await using cluster = await ClusterProject.create();
    await cluster.done(['install']);
    await cluster.env.client.create(foo('one', 3));
    const { KUBECONFIG: KUBEWRIGHT_KUBECONFIG } = cluster.variables;
    const variables = { KUBEWRIGHT_KUBECONFIG, KUBECONFIG: '/nowhere' };
    const plan = await cluster.project.run(['run', '--plan', 'foo/one'], variables);
    assert.equal(plan.exitCode, 0, plan.stderr);
    const wrong = await cluster.project.run(['run'], { ...variables, KUBEWRIGHT_CONTEXT: 'other' });
    assert.deepEqual([wrong.exitCode, wrong.stdout], [4, '']);
    assert.match(wrong.stderr, /^error: kubeconfig .*: context 'other' is not in 'contexts'/);
  });

  it('kubewright run exits with the exit code of the operator', async () => {
    await using cluster = await ClusterProject.create();
    await cluster.project.edit('src/main.ts', 'await manager.start();', 'process.exit(75);');
    assert.equal((await cluster.run(['run'])).exitCode, 75);
  });

  it('kubewright run reports a missing cluster before it starts the operator', async () => {
    await using project = await FixtureProject.create();
    const none = await project.run(['run'], { KUBECONFIG: undefined, HOME: project.root });
    assert.deepEqual([none.exitCode, none.stdout], [4, '']);
    assert.match(none.stderr, /^error: no cluster to connect to: KUBECONFIG is not set/);
  });
});

describe('kubewright run --plan', () => {
  it('kubewright run --plan prints the writes of a reconcile, and sends only read requests', async () => {
    await using project = await FixtureProject.create();
    const sent: string[] = [];
    const faults: FaultPlan = {
      onRequest: ({ verb, resource }) => {
        sent.push(`${verb} ${resource}`);
        return undefined;
      },
    };
    await using server = await ApiServer.start({ faults });
    const KUBECONFIG = join(project.root, 'kubeconfig');
    await server.writeKubeconfig(KUBECONFIG);
    await project.edit(
      CONTROLLER,
      'await this.client.patchStatus',
      'await this.client.applyOwned(foo, [new ConfigMap({ metadata: { name: foo.metadata.name }, data: { count: `${foo.spec.count}` } })]);\n    await this.client.patchStatus',
    );
    await project.write(
      'foo.yaml',
      'apiVersion: example.com/v1\nkind: Foo\nmetadata: { name: one }\nspec: { count: 9007199254740993 }\n',
    );
    assert.equal((await project.run(['install'], { KUBECONFIG })).exitCode, 0);
    sent.length = 0;
    const { exitCode, stdout, stderr } = await project.run(['run', '--plan', '-f', 'foo.yaml'], { KUBECONFIG });
    assert.equal(exitCode, 0, stderr);
    assert.equal(
      stdout,
      [
        'Foo default/one reconciled by foo, without writes:',
        '  create (apply) ConfigMap default/one',
        '    + owner: Foo one',
        '    + data.count: "9007199254740993"',
        '    + metadata.annotations["kubewright.dev/set"]: "default"',
        '    + metadata.labels["kubewright.dev/controller"]: "foo"',
        '  patch status of Foo default/one',
        '    + status.counted: 9007199254740993',
        '  then done, until something changes',
        '',
      ].join('\n'),
    );
    const another = await project.run(['run', '--plan', 'configmap/one', '-f', 'foo.yaml'], { KUBECONFIG });
    assert.deepEqual([another.exitCode, another.stdout], [2, '']);
    assert.match(
      another.stderr,
      /^error: cannot plan configmap\/one: foo\.yaml does not contain this object; .*: Foo\.example\.com\/one\n$/,
    );
    assert.equal((await project.run(['run', '--plan', 'foos/one', '-f', 'foo.yaml'], { KUBECONFIG })).stdout, stdout);
    await project.write('empty.yaml', '---\n');
    const empty = await project.run(['run', '--plan', '-f', 'empty.yaml'], { KUBECONFIG });
    assert.deepEqual([empty.exitCode, empty.stdout], [2, '']);
    assert.match(empty.stderr, /^error: cannot plan empty\.yaml: the file contains no objects; /);
    const verbs = sent.map((request) => request.split(' ')[0] ?? '');
    assert.ok(
      sent.includes('get configmaps') && verbs.every((verb) => ['get', 'list', 'watch'].includes(verb)),
      sent.join(),
    );
  });

  it('kubewright run --plan plans a reconcile of an object by kind and name, and prints one JSON document', async () => {
    await using cluster = await ClusterProject.create();
    await cluster.done(['install']);
    await cluster.env.client.create(foo('one', 3));
    for (const kind of ['Foo', 'foos', 'foo.example.com']) {
      const plan = JSON.parse(await cluster.done(['run', '--plan', `${kind}/one`, '-n', 'default', '--json'])) as Plan;
      assert.deepEqual(
        plan.writes.map(({ object, changes }) => [object.name, changes]),
        [['one', [{ field: 'status.counted', to: 3 }]]],
      );
    }
    const missing = await cluster.run(['run', '--plan', 'foo/two']);
    assert.deepEqual([missing.exitCode, missing.stdout], [2, '']);
    assert.match(
      missing.stderr,
      /^error: cannot plan: controller 'foo' cannot reconcile Foo default\/two: the object does not exist; specify an existing object/,
    );
    const unknown = await cluster.run(['run', '--plan', 'bar/one']);
    assert.equal(unknown.exitCode, 2);
    assert.match(
      unknown.stderr,
      /^error: cannot plan: no controller reconciles 'bar'; specify a kind that a controller reconciles: foo for Foo\n$/,
    );
    const odd = await cluster.run(['run', '--plan', 'foo']);
    assert.equal(odd.exitCode, 2);
    assert.match(odd.stderr, /^error: invalid --plan foo: pass KIND\/NAME/);
  });

  it('kubewright run --plan never prints the data of a Secret, and exits with 1 if the reconcile would fail', async () => {
    await using cluster = await ClusterProject.create();
    await cluster.project.edit(CONTROLLER, 'ConfigMap } from', 'ConfigMap, Secret } from');
    await cluster.project.edit(
      CONTROLLER,
      'await this.client.patchStatus(foo, { counted: foo.spec.count });',
      `await this.client.apply(new Secret({ metadata: { name: 'key', namespace: 'default' }, stringData: { password: 'new-one' } }), { force: true });
    throw new Error('no more');`,
    );
    await cluster.done(['install']);
    await cluster.env.client.create(foo('one', 3));
    await cluster.env.client.create(
      new Secret({ metadata: { name: 'key', namespace: 'default' }, stringData: { password: 'old-one' } }),
    );
    const { exitCode, stdout, stderr } = await cluster.run(['run', '--plan', 'foo/one']);
    assert.equal(exitCode, 1, stderr);
    assert.match(stdout, /^ {2}apply Secret default\/key\n {4}~ data\.password: \(differs; the value is secret\)$/m);
    assert.match(stdout, /^ {2}then retry with back-off after an error: no more$/m);
    for (const value of ['old-one', 'new-one']) {
      for (const text of [value, Buffer.from(value).toString('base64')])
        assert.ok(!`${stdout}${stderr}`.includes(text), text);
    }
  });
});
