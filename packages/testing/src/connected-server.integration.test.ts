import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { CustomResource, Field, Kind } from '@kubewright/api';
import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { ConfigMap } from '@kubewright/api/core/v1';
import { ClusterRole } from '@kubewright/api/rbac/v1';
import { crdFor } from '@kubewright/api/metadata';
import { ApiServer } from '@kubewright/apiserver';
import { Client, Controller, isNotFound, KubewrightError, type Reconciler, Result } from '@kubewright/runtime';
import { TestEnvironment } from './test-environment.js';

class NoteSpec {
  @Field.string() text!: string;
}
class NoteStatus {
  @Field.string({ optional: true }) seen?: string;
}
@Kind({ group: 'example.com', version: 'v1' })
class Note extends CustomResource(NoteSpec, NoteStatus) {}
@Kind({ group: 'example.com', version: 'v1' })
class Board extends CustomResource(NoteSpec) {}

/** A controller that copies the text of a Note into a ConfigMap and into the status of the Note. */
@Controller({ for: Note, owns: [ConfigMap] })
class NoteController implements Reconciler<Note> {
  readonly #client: Client;
  constructor(client: Client) {
    this.#client = client;
  }
  async reconcile(note: Note): Promise<Result> {
    const { name } = note.metadata;
    await this.#client.applyOwned(note, [new ConfigMap({ metadata: { name }, data: { text: note.spec.text } })]);
    await this.#client.patchStatus(note, { seen: note.spec.text });
    return Result.done();
  }
}

const note = (name: string): Note => new Note({ metadata: { name, namespace: 'default' }, spec: { text: name } });
const definitionOf = (plural: string) => ({ name: `${plural}.example.com` });

/** Starts a cluster outside the test environment, and makes it the cluster of the current kubeconfig during the test. */
async function existing(context: TestContext): Promise<ApiServer> {
  const directory = await mkdtemp(join(tmpdir(), 'kubewright-'));
  const server = await ApiServer.start();
  const before = process.env.KUBECONFIG;
  context.after(async () => {
    if (before === undefined) delete process.env.KUBECONFIG;
    else process.env.KUBECONFIG = before;
    await server.stop();
    await rm(directory, { recursive: true });
  });
  process.env.KUBECONFIG = join(directory, 'config');
  await server.writeKubeconfig(process.env.KUBECONFIG);
  return server;
}

test('the environment runs controllers on an existing cluster, waits for their objects in settled, and reports a single reconcile', async (context) => {
  await existing(context);
  await using env = await TestEnvironment.start({ server: 'existing', kinds: [Note] });
  await env.run(NoteController);
  const names = Array.from({ length: 20 }, (_, at) => `note-${at}`);
  for (const name of names) await env.client.create(note(name));
  await env.settled();
  for (const name of names) assert.equal((await env.read(note(name))).status?.seen, name);
  const made = (await env.client.list(ConfigMap, { namespace: 'default' })).filter(
    ({ metadata }) => metadata.name !== 'kube-root-ca.crt',
  );
  assert.equal(made.length, names.length);
  const first = await env.read(note('note-0'));
  await env.client.patch(first, (draft) => void (draft.spec.text = 'new'));
  await env.settled();
  const again = await env.read(first);
  assert.equal(again.status?.seen, 'new');
  const { error, writes, result } = await env.reconcile(new NoteController(env.client), again);
  assert.deepEqual([error, writes, result], [undefined, [], Result.done()]);
});

test('runs an operator on an existing cluster with its derived roles and deletes the roles at the end', async (context) => {
  await existing(context);
  await using outside = await TestEnvironment.start({ server: 'existing' });
  const roles = async (): Promise<readonly string[]> =>
    (await outside.client.list(ClusterRole))
      .map(({ metadata }) => metadata.name)
      .filter((name) => name.startsWith('operator-'));
  const env = await TestEnvironment.start({ server: 'existing', kinds: [Note], rbac: 'derived' });
  await env.run(NoteController);
  await env.client.create(note('a'));
  await env.settled();
  assert.equal((await env.read(note('a'))).status?.seen, 'a');
  assert.equal((await roles()).length, 1);
  await env[Symbol.asyncDispose]();
  assert.deepEqual(await roles(), []);
});

test('settled waits for informers that are opened outside a manager', async (context) => {
  await existing(context);
  await using env = await TestEnvironment.start({ server: 'existing', kinds: [Note] });
  await using informer = await env.cluster.cache.informer(Note);
  for (let at = 0; at < 20; at++) await env.client.create(note(`note-${at}`));
  await env.settled();
  assert.equal(informer.size, 20);
  await env.client.deleteAll(Note, { namespace: 'default' });
  await env.settled();
  assert.equal(informer.size, 0);
});

test('deletes only the definitions that the environment has created', async (context) => {
  await existing(context);
  await using outside = await TestEnvironment.start({ server: 'existing' });
  await outside.client.create(crdFor(Board));
  const env = await TestEnvironment.start({ server: 'existing', kinds: [Note, Board] });
  await env.client.create(note('a'));
  const before = await outside.client.get(CustomResourceDefinition, definitionOf('boards'));
  await env[Symbol.asyncDispose]();
  const after = await outside.client.get(CustomResourceDefinition, definitionOf('boards'));
  assert.equal(after.metadata.uid, before.metadata.uid);
  await assert.rejects(outside.client.get(CustomResourceDefinition, definitionOf('notes')), isNotFound);
});

test('rejects features of the embedded server on an existing cluster', async (context) => {
  await existing(context);
  const refused = (message: RegExp) => ({ code: 'NOT_SUPPORTED', message });
  await assert.rejects(TestEnvironment.start({ server: 'existing', workloads: true }), refused(/omit workloads/));
  await assert.rejects(TestEnvironment.start({ server: 'existing', faults: {} }), refused(/omit faults/));
  await assert.rejects(TestEnvironment.start({ server: 'existing', version: '1.36' }), refused(/omit version/));
  await using env = await TestEnvironment.start({ server: 'existing' });
  assert.throws(() => env.server, refused(/server 'embedded'/));
});

test('reports the file, the context and the field of an invalid kubeconfig', async (context) => {
  const server = await existing(context);
  const file = process.env.KUBECONFIG ?? '';
  const whole = await readFile(file, 'utf8');
  assert.ok(whole.includes(server.url));
  const refusal = async (text: string): Promise<string> => {
    await writeFile(file, text);
    const error: unknown = await TestEnvironment.start({ server: 'existing' }).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof KubewrightError && error.code === 'INVALID_KUBECONFIG', String(error));
    assert.ok(error.message.includes(file), error.message);
    return error.message;
  };
  const current = /^current-context: (.+)$/m.exec(whole)?.[1] ?? '';
  assert.match(await refusal(whole.replace(server.url, 'nowhere')), new RegExp(`context '${current}': field 'server'`));
  assert.match(await refusal(whole.replace(`current-context: ${current}`, 'current-context: gone')), /context 'gone'/);
  await refusal('{');
  await rm(file);
  await assert.rejects(TestEnvironment.start({ server: 'existing' }), { message: /does not exist/ });
});
