import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { Pod } from '@kubewright/api/core/v1';
import { TestEnvironment } from '@kubewright/testing';
import { Kubectl, type KubectlBinary, kubectlBinaries, NO_KUBECTL } from './kubectl.js';

const binaries = kubectlBinaries();
/** The protocols between kubectl and a server: WebSockets by default, and SPDY. */
const protocols = [
  ['WebSockets', {}],
  ['SPDY', { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false', KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false' }],
] as const;
const large = 'x'.repeat(300_000);

/** Handles the commands of these tests. */
async function answer(session: Parameters<Parameters<TestEnvironment['pods']['onExec']>[1]>[0]) {
  const { command, container, stdin, stdout, stderr } = session;
  const [program, ...args] = command;
  switch (program) {
    case 'echo':
      return `${args.join(' ')}\n`;
    case 'cat':
      stdout.write(await text(stdin));
      return 0;
    case 'large':
      return large;
    case 'container':
      return container;
    case 'fail':
      stderr.write('it failed\n');
      return 42;
    case 'throw':
      throw new Error('the handler failed');
    case 'tar':
      // The archive of `kubectl cp` from the Pod: one file without content, and the end of the archive.
      if (args[0] === 'cf')
        stdout.write(Buffer.concat([tarHead('etc/name', 4), Buffer.from('name'), Buffer.alloc(508 + 1024)]));
      else copied = await text(stdin);
      return 0;
    default:
      return 127;
  }
}
let copied = '';

/** Returns the header of a file in a tar archive. */
function tarHead(name: string, size: number): Buffer {
  const head = Buffer.alloc(512);
  head.write(name, 0);
  head.write('0000644\0', 100);
  head.write('0000000\0', 108);
  head.write('0000000\0', 116);
  head.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  head.write('00000000000\0', 136);
  head.write('        ', 148);
  head.write('0', 156);
  head.write('ustar\u000000', 257);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}

describe('sessions of kubectl with simulated Pods', { skip: binaries.length === 0 && NO_KUBECTL }, () => {
  let env: TestEnvironment;
  let folder: string;
  const kubectlOf = (binary: KubectlBinary): Kubectl =>
    new Kubectl(binary, { kubeconfig: join(folder, 'kubeconfig'), home: folder, namespace: 'default' });

  before(async () => {
    env = await TestEnvironment.start({ workloads: ['pods'] });
    folder = await mkdtemp(join(tmpdir(), 'kubewright-sessions-'));
    await env.writeKubeconfig(join(folder, 'kubeconfig'));
    const containers = ['main', 'sidecar'].map((name) => ({ name, image: 'web' }));
    for (const name of ['web', 'plain']) {
      const metadata = { name, namespace: 'default', labels: { app: name } };
      const pod = await env.client.create(new Pod({ metadata, spec: { containers } }));
      await env.until(pod, ({ status }) => status?.phase === 'Running');
    }
    env.pods.onExec('app=web', answer);
    env.pods.onAttach('app=web', ({ stdout }) => void stdout.write('attached\n'));
  });
  after(async () => {
    await env[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  for (const binary of binaries) {
    for (const [protocol, environment] of protocols) {
      test(`${binary.name} exec runs the handler over ${protocol}`, async () => {
        const kubectl = kubectlOf(binary);
        const exec = (args: string, input?: string) => kubectl.run(`exec web ${args}`, input, environment);
        assert.equal((await exec('-- echo hello world')).out, 'hello world\n');
        assert.equal((await exec('-c sidecar -- container')).out, 'sidecar');
        assert.equal((await exec('-i -- cat', 'from the client')).out, 'from the client');
        assert.equal((await exec('-i -- cat', large)).out, large);
        assert.equal((await exec('-- large')).out, large);
        const failed = await exec('-- fail');
        assert.equal(failed.code, 42);
        assert.match(failed.err, /it failed\n/);
        assert.match((await exec('-- throw')).err, /the handler failed/);
        assert.equal((await kubectl.run('attach web -c main', '', environment)).out, 'attached\n');
      });

      test(`${binary.name} cp copies files over ${protocol}`, async () => {
        const kubectl = kubectlOf(binary);
        const [from, to] = [join(folder, `from-${protocol}`), join(folder, `to-${protocol}`)];
        await writeFile(from, 'sent by kubectl');
        await kubectl.ok(`cp ${from} web:/tmp/x -c main`, '', environment);
        assert.match(copied, /sent by kubectl/);
        await kubectl.ok(`cp web:etc/name ${to} -c main`, '', environment);
        assert.equal(await readFile(to, 'utf8'), 'name');
      });

      test(`${binary.name} port-forward reaches the handler over ${protocol}`, async () => {
        const server = createServer((request, response) => response.end(`path ${request.url}`));
        const remove = env.pods.onPortForward('app=web', ({ port, stream }) => {
          if (port !== 8080) throw new Error(`nothing listens on port ${port}`);
          server.emit('connection', stream);
        });
        try {
          const lines = kubectlOf(binary).lines('port-forward web :8080 --address 127.0.0.1', environment);
          const { value: first } = await lines.next();
          const port = /127\.0\.0\.1:(\d+) -> 8080/.exec(String(first))?.[1];
          for (const path of ['/a', '/b']) {
            const response = await fetch(`http://127.0.0.1:${port}${path}`);
            assert.equal(await response.text(), `path ${path}`);
          }
          await lines.return(undefined);
        } finally {
          remove();
          server.closeAllConnections();
        }
      });

      test(`${binary.name} reports over ${protocol} that no container runs`, async () => {
        const kubectl = kubectlOf(binary);
        for (const [args, method] of [
          ['exec plain -- ls', 'onExec'],
          ['attach plain', 'onAttach'],
          ['port-forward plain 8080', 'onPortForward'],
        ] as const) {
          const { code, err } = await kubectl.run(args, '', environment);
          assert.notEqual(code, 0);
          assert.match(err, new RegExp(`runs no containers; register a handler with pods.${method} in a test`));
        }
      });
    }

    test(`${binary.name} logs returns the stated log`, async () => {
      const kubectl = kubectlOf(binary);
      const removals = [
        env.pods.behave('app=web', { logs: 'one\ntwo\nthree\n' }),
        env.pods.behave('app=web', { containers: { sidecar: { logs: 'sidecar' } } }),
      ];
      assert.equal(await kubectl.ok('logs web'), 'one\ntwo\nthree\n');
      assert.equal(await kubectl.ok('logs web --tail=2'), 'two\nthree\n');
      assert.equal(await kubectl.ok('logs web --limit-bytes=5'), 'one\nt');
      assert.match(await kubectl.ok('logs web --tail=1 --timestamps'), /^\d{4}-\S+Z three\n$/);
      assert.equal(await kubectl.ok('logs web --since-time=2100-01-01T00:00:00Z'), '');
      assert.equal(await kubectl.ok('logs web --since=1h'), 'one\ntwo\nthree\n');
      assert.equal(await kubectl.ok('logs web -c sidecar'), 'sidecar');
      assert.match(await kubectl.ok('logs web --all-containers --prefix'), /\[pod\/web\/main\] one\n/);
      assert.equal(await kubectl.ok('logs -l app=plain'), '');
      assert.match(
        await kubectl.refused('logs web --previous'),
        /previous terminated container "main" in pod "web" not found/,
      );
      for (const remove of removals) remove();
    });

    test(`${binary.name} logs --follow prints later additions to the log until the container ends`, async () => {
      const metadata = { name: 'followed', namespace: 'default', labels: { app: 'followed' } };
      const spec = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'web' }] };
      const removals = [env.pods.behave('app=followed', { logs: 'one\n' })];
      const pod = await env.client.create(new Pod({ metadata, spec }));
      await env.until(pod, ({ status }) => status?.phase === 'Running');
      const lines = kubectlOf(binary).lines('logs followed --follow');
      assert.equal((await lines.next()).value, 'one');
      removals.push(env.pods.behave('app=followed', { logs: 'one\ntwo\n' }));
      assert.equal((await lines.next()).value, 'two');
      removals.push(env.pods.behave('app=followed', { exitCode: 0 }));
      assert.equal((await lines.next()).done, true);
      for (const remove of removals) remove();
      await env.client.delete(pod);
      await env.untilDeleted(pod);
    });

    test(`${binary.name} logs --previous returns the log of the last run`, async () => {
      const metadata = { name: 'restarted', namespace: 'default', labels: { app: 'restarted' } };
      const remove = env.pods.behave('app=restarted', { exitCode: [1], logs: ['first run', 'second run'] });
      const pod = await env.client.create(new Pod({ metadata, spec: { containers: [{ name: 'c', image: 'web' }] } }));
      await env.until(pod, ({ status }) => status?.containerStatuses?.[0]?.restartCount === 1);
      assert.equal(await kubectlOf(binary).ok('logs restarted --previous'), 'first run');
      assert.equal(await kubectlOf(binary).ok('logs restarted'), 'second run');
      remove();
      await env.client.delete(pod);
      await env.untilDeleted(pod);
    });
  }
});
