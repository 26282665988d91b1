import assert from 'node:assert/strict';
import { exec } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { dynamicKind, isReady, type KubeObject } from '@kubewright/api';
import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { Event, Namespace } from '@kubewright/api/core/v1';
import { kinds } from '@kubewright/example-virtual-machine';
import { kubeconfigOf } from '@kubewright/testing';
import { parse } from 'yaml';
import { kubectlBinaries, NO_KUBECTL } from '../kubectl/kubectl.js';
import { startEnvironment } from '../server/start-environment.js';
import { OperatorProcess } from './operator-process.js';
import { HANG_LIMIT_MS } from '../server/hang-limit.js';

interface Machine extends KubeObject {
  readonly spec: Readonly<Record<string, string | number>>;
}
const Machine = dynamicKind<Machine>('cloud.waibizi.com/v1', 'VirtualMachine');
const namespace = 'default';
const folder = new URL('../../../examples/virtual-machine/', import.meta.url);

test('the program dynamic completes the machine of the article if the definition of the article is installed', async (t) => {
  await using env = await startEnvironment();
  const definition = await article<CustomResourceDefinition>('virtualmachines-crd.yaml');
  await env.client.create(definition, { fieldValidation: 'Strict' });
  await env.cluster.cache.until(CustomResourceDefinition, definition.metadata, isReady);
  const vm = await article<Machine>('public-wx.yaml');
  const publicWx: Machine = { ...vm, metadata: { ...vm.metadata, namespace } };
  await env.client.create(publicWx, { fieldValidation: 'Strict' });
  await using program = await OperatorProcess.start('virtual-machine/dist/dynamic.js', env);
  const create = async (name: string, status: string, inNamespace = namespace) =>
    env.client.create(new Machine({ metadata: { namespace: inNamespace, name }, spec: { name, status } }));

  await t.test('the program dynamic completes a machine that existed before the program started', async () => {
    const { spec } = await env.cluster.cache.until(Machine, publicWx.metadata, isComplete);
    assert.deepEqual({ ...spec }, { ...publicWx.spec, status: 'complete' });
    await program.until(/^synced default\/public-wx$/m);
  });

  await t.test('the program dynamic records an event for the completed machine', async () => {
    await using events = await env.cluster.cache.informer(Event, { namespace });
    for await (const { object } of events.changes({ signal: AbortSignal.timeout(HANG_LIMIT_MS) })) {
      if (object.reason !== 'Created') continue;
      assert.equal(object.message, 'machine waibizi-wx-virtual-machine is complete');
      assert.equal(object.involvedObject.name, 'public-wx');
      return;
    }
    assert.fail('no event with the reason Created');
  });

  await t.test(
    'the program dynamic completes only machines in the namespace default whose status is creating',
    async () => {
      await env.client.create(new Namespace({ metadata: { name: 'elsewhere' } }));
      const elsewhere = await create('elsewhere', 'creating', 'elsewhere');
      const stopped = await create('stopped', 'stopped');
      const later = await create('later', 'creating');
      await env.cluster.cache.until(Machine, later.metadata, isComplete);
      await program.until(/^synced default\/stopped$/m);
      assert.equal((await env.read(elsewhere)).spec['status'], 'creating');
      assert.equal((await env.read(stopped)).spec['status'], 'stopped');
    },
  );

  const { code, err } = await program.terminate();
  assert.deepEqual([code, err], [0, '']);
});

test('the definition of the operator rejects the machine of the article, which has the state in the spec', async () => {
  await using env = await startEnvironment({ kinds });
  const vm = await article<Machine>('public-wx.yaml');
  const refused = env.client.create({ ...vm, metadata: { ...vm.metadata, namespace } }, { fieldValidation: 'Strict' });
  await assert.rejects(refused, { message: /strict decoding error: unknown field "spec\.status"$/ });
});

const [kubectl] = kubectlBinaries();
test('the commands of the README create the machine of the article', {
  skip: kubectl ? false : NO_KUBECTL,
}, async () => {
  assert.ok(kubectl);
  await using env = await startEnvironment();
  const home = await mkdtemp(join(tmpdir(), 'kubewright-article-'));
  try {
    const kubeconfig = join(home, 'kubeconfig');
    await writeFile(kubeconfig, kubeconfigOf(env.connection), { mode: 0o600 });
    const readme = await readFile(new URL('README.md', folder), 'utf8');
    const commands = readme.match(/^kubectl (?:apply|wait) .*$/gm) ?? [];
    assert.equal(commands.length, 3);
    const PATH = [dirname(kubectl.path), process.env['PATH']].join(delimiter);
    const options = { cwd: fileURLToPath(folder), env: { PATH, HOME: home, KUBECONFIG: kubeconfig } };
    for (const command of commands) await promisify(exec)(command, options);
    assert.equal((await env.client.get(Machine, { namespace, name: 'public-wx' })).spec['status'], 'creating');
  } finally {
    await rm(home, { recursive: true });
  }
});

function isComplete({ spec }: Machine): boolean {
  return spec['status'] === 'complete';
}

/** Reads an object of the article from the example. */
async function article<T extends KubeObject>(file: string): Promise<T> {
  return parse(await readFile(new URL(`article/${file}`, folder), 'utf8')) as T;
}
