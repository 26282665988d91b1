import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ReservedPorts } from '@kubewright/testing/internal';
import { wholeNumbers } from '../chaos/whole-numbers.js';
import { programPath } from '../programs/program-path.js';
import { Load } from './load.js';
import { ServerProcess } from './server-process.js';

/** Number of times that the test kills a server. KUBEWRIGHT_KILLS sets another number. */
const kills = Number(process.env['KUBEWRIGHT_KILLS'] ?? 8);
const collection = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, text = '') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { text },
});

describe('a server with a data folder', () => {
  let folder: string;
  let data: readonly string[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubewright-process-'));
    data = ['--data', join(folder, 'data'), '--port', '0'];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test(`after each of ${kills} kills, a server with a data folder still has all acknowledged writes and all changes that a watch reported`, async () => {
    const seed = Number(process.env['KUBEWRIGHT_SEED'] ?? Date.now() % 1_000_000);
    const random = wholeNumbers(seed);
    const load = new Load(random);
    for (let kill = 1; kill <= kills; kill += 1) {
      await using server = await ServerProcess.start(data);
      assert.deepEqual(await load.findLosses(server), [], `KUBEWRIGHT_SEED=${seed}, after ${kill - 1} kills`);
      await load.writeUntilKilled(server, random(120));
    }
    await using server = await ServerProcess.start(data);
    assert.deepEqual(await load.findLosses(server), [], `KUBEWRIGHT_SEED=${seed}`);
    assert.ok(load.acknowledged > 0);
  });

  test('a server with a data folder continues to serve requests and watches with the old kubeconfig after a restart', async () => {
    await using reserved = await ReservedPorts.take(1);
    const onOnePort = ['--data', join(folder, 'data'), '--port', String(reserved.ports[0])];
    let old: string;
    let created: { readonly metadata: { readonly resourceVersion: string } } | undefined;
    {
      await using first = await ServerProcess.start([...onOnePort, '--kubeconfig', join(folder, 'kubeconfig')]);
      old = first.kubeconfig;
      created = (await first.send('POST', collection, configMap('a')))?.body;
      await first.send('POST', collection, configMap('b'));
      const { code, err } = await first.stop();
      assert.equal(code, 0, err);
    }
    await using second = await ServerProcess.start([...onOnePort, '--kubeconfig', join(folder, 'other')]);
    const answer = await second.send('GET', `${collection}/a`, undefined, old);
    assert.deepEqual(answer?.body, created);
    const from = created?.metadata.resourceVersion;
    for await (const { type, object } of second.watch(`${collection}?watch=true&resourceVersion=${from}`)) {
      assert.deepEqual([type, object.metadata.name], ['ADDED', 'b']);
      break;
    }
    for (const name of readdirSync(join(folder, 'data'))) {
      assert.equal(statSync(join(folder, 'data', name)).mode & 0o077, 0, `${name} is accessible to other users`);
    }
  });

  test('a server with a data folder returns 500 when the disk is full, loses nothing, and recovers when space is available', async (context) => {
    const missing = ['prlimit', 'bash'].find((name) => programPath(name) === undefined);
    if (missing !== undefined) return context.skip(`cannot fill a disk: ${missing} is not on PATH`);
    const written = new Map<string, string>();
    {
      // A file size limit has the same effect on a writer as a full disk.
      await using server = await ServerProcess.start(data, { wrapped: "trap '' XFSZ; ulimit -S -f 1500" });
      const seen: string[] = [];
      const refused = await fill(server, written);
      assert.equal(refused?.status, 500);
      const { kind, status, reason, code, message } = refused.body;
      assert.deepEqual(
        { kind, status, reason, code },
        { kind: 'Status', status: 'Failure', reason: 'InternalError', code: 500 },
      );
      assert.match(String(message), /^Internal error occurred: the write was not stored: EFBIG/);
      const listed = await server.send('GET', collection);
      const there = names(listed?.body.items).filter((name) => name !== 'kube-root-ca.crt');
      assert.deepEqual(there, [...written.keys()]);
      spawnSync('prlimit', ['--fsize=unlimited:unlimited', '--pid', String(server.pid)]);
      const from = listed?.body.metadata.resourceVersion;
      const after = await server.send('POST', collection, configMap('after'));
      assert.equal(after?.status, 201);
      for await (const { object } of server.watch(`${collection}?watch=true&resourceVersion=${from}`)) {
        seen.push(object.metadata.name);
        break;
      }
      assert.deepEqual(seen, ['after']);
      await server.kill();
      const { err } = await server.ended;
      assert.match(err, /cannot write to .*objects\.log: EFBIG.*; all writes fail until the disk is writable\n/);
      assert.match(err, /writes to .*objects\.log work again\n/);
      assert.doesNotMatch(err, /cut/);
    }
    await using server = await ServerProcess.start(data);
    for (const [name, text] of [...written, ['after', ''] as const]) {
      assert.equal((await server.send('GET', `${collection}/${name}`))?.body.data['text'], text);
    }
    assert.equal((await server.send('GET', `${collection}/refused`))?.status, 404);
  });

  test('a server with a data folder reports the file and byte position of damaged or truncated data', async () => {
    await using server = await ServerProcess.start(data);
    await server.send('POST', collection, configMap('a'));
    await server.kill();
    const log = join(folder, 'data', 'objects.log');
    const bytes = readFileSync(log);
    writeFileSync(log, Buffer.concat([bytes, Buffer.from('torn')]));
    await using torn = await ServerProcess.start(data);
    const { code, err } = await torn.stop();
    assert.equal(code, 0);
    assert.ok(
      err.startsWith(`kubewright-apiserver: truncated ${log} at byte ${bytes.length}: the 4 bytes after it`),
      err,
    );
    const damaged = readFileSync(log);
    damaged[100] = (damaged[100] ?? 0) ^ 1;
    writeFileSync(log, damaged);
    await assert.rejects(ServerProcess.start(data), new RegExp(`${log} is damaged at byte \\d+`));
  });
});

/** Creates ConfigMaps until the server rejects one, and returns the rejection. Returns undefined if the server accepts 100 ConfigMaps. */
async function fill(server: ServerProcess, written: Map<string, string>) {
  for (let index = 0; index < 100; index += 1) {
    const [name, text] = [`filling-${String(index).padStart(2, '0')}`, String(index).repeat(50_000)];
    const answer = await server.send('POST', collection, configMap(name, text));
    if (answer?.status !== 201) {
      assert.equal((await server.send('POST', collection, configMap('refused', text)))?.status, 500);
      return answer;
    }
    written.set(name, text);
  }
  return undefined;
}

function names(items: readonly { readonly metadata: { readonly name: string } }[] = []): readonly string[] {
  return items.map(({ metadata }) => metadata.name);
}
