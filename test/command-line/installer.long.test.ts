import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { kubectlBinaries, NO_KUBECTL } from '../kubectl/kubectl.js';
import { FixtureProject } from './fixture-project.js';

const DEFAULT = 'config/default/kustomization.yaml';
const INSTALL = ['build', '--installer', '--image', 'registry.example.com/foo:v7'];
const resources = ['../crd', '../rbac', '../manager', 'extra.yaml'].map((each) => `- ${each}\n`).join('');
const extra = { 'config/default/extra.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extra\n' };
const patched = {
  ...extra,
  [DEFAULT]: `resources:\n${resources}replicas:\n- name: foo-operator-controller-manager\n  count: 3\n`,
};
const kubectl = kubectlBinaries().at(-1);
const skip = kubectl === undefined && NO_KUBECTL;

/** Returns a PATH that contains kubectl and no other program. */
async function onlyKubectl({ root }: FixtureProject): Promise<NodeJS.ProcessEnv> {
  const PATH = join(root, 'bin');
  await mkdir(PATH);
  await symlink(kubectl?.path ?? '', join(PATH, 'kubectl'));
  return { PATH };
}

test('build --installer writes one install.yaml with the image of --image and the additional resources of the project', async () => {
  await using project = await FixtureProject.create({ ...extra, [DEFAULT]: `resources:\n${resources}` });
  // The folder contains neither kubectl nor a container engine.
  const { stderr } = await project.run(INSTALL, { PATH: project.root });
  assert.match(stderr, /cannot build the image/);
  const text = await project.read('dist/install.yaml');
  assert.match(text, /kind: ConfigMap\nmetadata:\n {2}name: extra\n/);
  assert.match(text, /image: registry\.example\.com\/foo:v7\n/);
  assert.deepEqual(
    await project.files('config'),
    ['config/default/extra.yaml', DEFAULT],
    'the command generates no files',
  );
});

test('build --installer builds a patched configuration with kubectl', { skip }, async () => {
  await using project = await FixtureProject.create(patched);
  const env = await onlyKubectl(project);
  const { exitCode, stderr } = await project.run(['build', '--installer'], env);
  assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
  const text = await project.read('dist/install.yaml');
  assert.match(text, /replicas: 3\n/);
  assert.match(text, /name: extra\n/);

  await project.write(DEFAULT, `${patched[DEFAULT]}nonsense: true\n`);
  const refused = await project.run(['build', '--installer'], env);
  assert.equal(refused.exitCode, 3);
  assert.match(refused.stderr, /'kubectl kustomize config\/default' failed: .*unknown field \\?"nonsense\\?"/s);
});

test('build --installer prefers the image of --image over the image in config, and copies binary files of config unchanged', {
  skip,
}, async () => {
  const images = 'images:\n- name: foo-operator\n  newTag: v3\n';
  const settings = 'configMapGenerator:\n- name: settings\n  files: [settings.bin]\n';
  await using project = await FixtureProject.create({
    ...extra,
    [DEFAULT]: `resources:\n${resources}- ../../shared\n${images}${settings}`,
    'shared/kustomization.yaml': 'resources: [quota.yaml]\n',
    'shared/quota.yaml': 'apiVersion: v1\nkind: ResourceQuota\nmetadata:\n  name: outside\n',
  });
  const env = await onlyKubectl(project);
  const bytes = Buffer.from([0xff, 0x00, 0xfe, 0x80]);
  await writeFile(join(project.root, 'config/default/settings.bin'), bytes);
  assert.match((await project.run(['build', '--installer'], env)).stdout, /with the image foo-operator:v3$/m);
  const text = await project.read('dist/install.yaml');
  assert.match(text, /name: outside\n/);
  assert.ok(text.includes(`settings.bin: ${bytes.toString('base64')}`));

  await project.run(INSTALL, env);
  assert.match(await project.read('dist/install.yaml'), /image: registry\.example\.com\/foo:v7\n/);
  const patch = "- op: replace\n      path: /spec/template/spec/containers/0/image\n      value: 'other:v1'\n";
  await project.edit(DEFAULT, images, `patches:\n- target: { kind: Deployment }\n  patch: |-\n    ${patch}`);
  const { exitCode, stderr } = await project.run(INSTALL, env);
  assert.match(
    stderr,
    /with the image registry\.example\.com\/foo:v7: a patch in config\/default sets another image; remove/,
  );
  assert.equal(exitCode, 3);
});

test('build --installer rejects a patched configuration if kubectl is not available', async () => {
  await using project = await FixtureProject.create(patched);
  const { exitCode, stderr } = await project.run(['build', '--installer'], { PATH: project.root });
  assert.equal(exitCode, 3);
  assert.match(stderr, /config\/default\/kustomization\.yaml .* it has 'replicas'; install kubectl/);
  await assert.rejects(project.read('dist/install.yaml'), { code: 'ENOENT' });
});
