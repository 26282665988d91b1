import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { dynamicKind, type KubeObject } from '@kubewright/api';
import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { Deployment } from '@kubewright/api/apps/v1';
import { Namespace } from '@kubewright/api/core/v1';
import type { TestEnvironmentOptions } from '@kubewright/testing';
import { ClusterProject } from './cluster-projects.js';

interface Document {
  readonly dryRun: boolean;
  readonly objects: readonly { readonly kind: string; readonly name: string; readonly outcome: string }[];
}

const Foo = dynamicKind('example.com/v1', 'Foo') as unknown as new (init: object) => KubeObject;
const foo = new Foo({ metadata: { name: 'one', namespace: 'default' }, spec: { count: 1 } });
const name = 'foos.example.com';
const key = { namespace: 'foo-operator-system', name: 'foo-operator-controller-manager' };

/**
 * Tests `install`, `deploy`, `undeploy` and `uninstall` on the given server. The tests must run in this order, because each test uses
 * objects that earlier tests created.
 */
export function testDeploying(server: NonNullable<TestEnvironmentOptions['server']>): void {
  let cluster: ClusterProject;
  before(async () => {
    cluster = await ClusterProject.create({}, { server });
  });
  after(() => cluster[Symbol.asyncDispose]());
  const outcomes = async (args: readonly string[]): Promise<ReadonlySet<string>> => {
    const { objects } = JSON.parse(await cluster.done([...args, '--json'])) as Document;
    return new Set(objects.map(({ outcome }) => outcome));
  };

  void it('install and deploy with --dry-run validate all objects on the cluster, including objects that do not exist yet, and change nothing', async () => {
    assert.match(
      await cluster.done(['install', '--dry-run']),
      /^would create CustomResourceDefinition foos\.example\.com$/m,
    );
    const reported = await cluster.done(['deploy', '--dry-run']);
    assert.match(reported, /^would create Deployment foo-operator-system\/foo-operator-controller-manager$/m);
    assert.match(reported, /^(\d+) of \1 objects would change$/m);
    const { client } = cluster.env;
    assert.equal(await client.find(CustomResourceDefinition, { name }), undefined);
    assert.equal(await client.find(Namespace, { name: key.namespace }), undefined);
  });

  void it('install creates the definitions of the kinds, waits until the kinds are served, and changes nothing the second time', async () => {
    assert.match(
      await cluster.done(['install']),
      /^created CustomResourceDefinition foos\.example\.com\n.* serves 1 kind of the project\n$/,
    );
    await cluster.env.client.create(foo);
    assert.match(await cluster.done(['install']), /^nothing changed: 1 kind already installed in .*\n$/);
    assert.deepEqual(await outcomes(['install']), new Set(['unchanged']));
  });

  void it('deploy creates the objects of the operator in dependency order, and waits until the operator is available', async () => {
    const reported = await cluster.done(['deploy', '--image', 'foo-operator:one']);
    const kinds = [...reported.matchAll(/^created (\S+) /gm)].map(([, kind]) => kind);
    assert.equal(kinds[0], 'Namespace');
    for (const kind of ['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding']) {
      assert.ok(kinds.indexOf(kind) > 0 && kinds.lastIndexOf(kind) < kinds.indexOf('Deployment'), reported);
    }
    assert.match(reported, /\nfoo-operator is available\n$/);
    const deployment = await cluster.env.client.get(Deployment, key);
    assert.equal(deployment.spec?.template.spec?.containers[0]?.image, 'foo-operator:one');
    assert.deepEqual(await outcomes(['deploy', '--image', 'foo-operator:one']), new Set(['unchanged']));
    assert.match(
      await cluster.done(['deploy', '--image', 'foo-operator:one']),
      /^nothing changed: all \d+ objects are up to date in .*$/m,
    );
    await assert.rejects(cluster.project.files('config'), { code: 'ENOENT' });
  });

  void it('a second deploy reports each changed field, and changes nothing else', async () => {
    const reported = await cluster.done(['deploy', '--image', 'foo-operator:two']);
    const changed = [...reported.matchAll(/^(?:created|changed) .*\n(?: {2}.*\n)*/gm)].map(([text]) => text);
    assert.deepEqual(changed, [
      'changed Deployment foo-operator-system/foo-operator-controller-manager\n' +
        '  spec.template.spec.containers[name=manager].image: "foo-operator:one" → "foo-operator:two"\n',
    ]);
  });

  void it("deploy applies the user's files in config/default", async () => {
    await cluster.project.write(
      'config/default/kustomization.yaml',
      'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n- ../crd\n- ../rbac\n- ../manager\n- extra.yaml\n',
    );
    const metadata = '{ name: extra, namespace: foo-operator-system }';
    await cluster.project.write(
      'config/default/extra.yaml',
      `apiVersion: v1\nkind: ConfigMap\nmetadata: ${metadata}\n`,
    );
    const reported = await cluster.done(['deploy', '--image', 'foo-operator:two']);
    assert.match(reported, /^created ConfigMap foo-operator-system\/extra$/m);
  });

  void it('undeploy deletes the operator but not the kinds and their objects, and changes nothing the second time', async () => {
    assert.match(await cluster.done(['undeploy', '--dry-run']), /^would delete Namespace foo-operator-system$/m);
    const reported = await cluster.done(['undeploy']);
    assert.match(reported, /^deleted Namespace foo-operator-system$/m);
    assert.ok(reported.indexOf('deleted Deployment') < reported.indexOf('deleted ClusterRole '));
    assert.match(await cluster.done(['undeploy']), /^nothing changed: foo-operator is not deployed in .*\n$/);
    assert.notEqual(await cluster.env.client.find(Foo, foo.metadata), undefined);
  });

  void it('undeploy does not delete a namespace that another client created', async () => {
    await cluster.env.client.create(new Namespace({ metadata: { name: key.namespace, labels: { team: 'a' } } }));
    await cluster.done(['deploy']);
    assert.match(
      await cluster.done(['undeploy']),
      /^kept Namespace foo-operator-system: another client created or changed it$/m,
    );
    assert.notEqual(await cluster.env.client.find(Namespace, { name: key.namespace }), undefined);
  });

  void it('install does not overwrite fields of another field manager without --force-conflicts', async () => {
    const crd = await cluster.env.client.get(CustomResourceDefinition, { name });
    await cluster.env.client.patch(
      crd,
      { merge: { spec: { names: { listKind: 'FooList', shortNames: ['fo'] } } } },
      { fieldManager: 'helm' },
    );
    await cluster.project.edit('src/api/v1/foo.ts', "version: 'v1'", "version: 'v1', shortNames: ['foofoo']");
    const { exitCode, stderr } = await cluster.run(['install']);
    assert.equal(exitCode, 4);
    assert.match(
      stderr,
      /^error: apply CustomResourceDefinition foos\.example\.com: conflict with the field manager 'helm' on \.spec\.names\.shortNames; .*--force-conflicts\n$/,
    );
    assert.match(
      await cluster.done(['install', '--force-conflicts']),
      /^changed Custom.*\n {2}spec\.names\.shortNames: \["fo"\] → \["foofoo"\]$/m,
    );
  });

  void it('uninstall requires confirmation before it deletes kinds that have objects', async () => {
    const { exitCode, stderr } = await cluster.run(['uninstall']);
    assert.equal(exitCode, 2);
    assert.match(
      stderr,
      /^error: did not uninstall 1 kind: .* has objects that would be deleted: 1 foos; pass --yes to confirm\n$/,
    );
    assert.match(await cluster.done(['uninstall', '--yes']), /^deleted CustomResourceDefinition foos\.example\.com$/m);
    assert.equal(await cluster.env.client.find(CustomResourceDefinition, { name }), undefined);
    assert.match(await cluster.done(['uninstall']), /^nothing changed: none of the kinds is installed in .*\n$/);
  });

  void it('install reports in one sentence why it cannot use the cluster, and what to do', async () => {
    const refused = async (
      edit: (kubeconfig: string) => string,
      message: RegExp,
      args = ['install'],
    ): Promise<void> => {
      const { exitCode, stdout, stderr } = await cluster.runWith(edit, args);
      assert.deepEqual([exitCode, stdout], [4, ''], stderr);
      assert.match(stderr, message);
    };
    const user = (kubeconfig: string): string => kubeconfig.replace(/( +)user:\n( +)/, '$1user:\n$2as: somebody\n$2');
    await refused(
      (text) => (text.trimStart().startsWith('{') ? withUser(text) : user(text)),
      /^error: get CustomResourceDefinition foos\.example\.com: .*"somebody" cannot get .*; request this permission from the administrator of .*, or select another cluster with --context/,
    );
    await refused(
      (text) => text.replace(/:\d{4,5}\b/, ':1'),
      /^error: cannot reach .*ECONNREFUSED.*; check that the cluster runs, or select another/,
    );
    await refused((text) => text, /^error: kubeconfig .*: context 'other' is not in 'contexts' \(/, [
      'install',
      '--context',
      'other',
    ]);
  });
}

/** Adds impersonation to the user of a kubeconfig in JSON. */
function withUser(text: string): string {
  const kubeconfig = JSON.parse(text) as { users: { user: object }[] };
  return JSON.stringify({
    ...kubeconfig,
    users: kubeconfig.users.map((each) => ({ ...each, user: { ...each.user, as: 'somebody' } })),
  });
}
