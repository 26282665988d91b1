import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runToEnd, ServerProcess } from './server-process.js';

describe('kubewright-apiserver', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubewright-command-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  /** Writes a file with options and returns its path. */
  const fileOf = (content: string): string => {
    const path = join(folder, `options-${content.length}.yaml`);
    writeFileSync(path, content);
    return path;
  };

  test('kubewright-apiserver prints options, examples and exit codes with --help', async () => {
    const { code, out, err } = await runToEnd(['--help']);
    assert.equal(code, 0);
    assert.equal(err, '');
    for (const part of ['--data DIR', '--port N', '--kubeconfig FILE', '--workloads', 'Examples:', 'Exit codes:']) {
      assert.ok(out.includes(part), part);
    }
    assert.match(
      (await runToEnd(['--version'])).out,
      /^kubewright-apiserver \d+\.\d+\.\d+, Kubernetes API v1\.36\.3\S*\n$/,
    );
  });

  test('kubewright-apiserver reports an invalid option in one line and exits with 2', async () => {
    const cases: readonly [readonly string[], RegExp][] = [
      [['--bort'], /Unknown option '--bort'/],
      [['start'], /Unexpected argument 'start'/],
      [['--port'], /'--port <value>' argument missing/],
      [['--port', '70000'], /--port 70000 is not a valid port; use a number from 0 to 65535/],
      [['--port', 'http'], /--port http is not a valid port/],
      [['--data', ''], /--data is empty/],
      [
        ['--kubernetes-version', '1.34'],
        /cannot serve Kubernetes version '1\.34'; use 1\.35, 1\.36 or 1\.37, or a patch/,
      ],
      [['--kubernetes-version', ''], /--kubernetes-version is empty/],
      [['--nodes', '3'], /--nodes requires --workloads/],
      [['--workloads', '--nodes', '0'], /use an integer from 1 to 1000, or a list of nodes/],
      [['--workloads', '--nodes', join(folder, 'missing')], /is not valid: ENOENT/],
      [['--workloads', '--nodes', fileOf('- {name: a, label: {}}')], /use capacity, labels, name, taints/],
      [['--workloads', '--pod-behaviours', fileOf('- {behaviour: {exitCodes: 1}}')], /use exitCode, runFor, /],
      [['--grace-seconds', 'soon'], /--grace-seconds soon is not valid; use a number of seconds from 0 to \d+/],
    ];
    for (const [args, expected] of cases) {
      const { code, err } = await runToEnd(args);
      assert.equal(code, 2, args.join(' '));
      assert.match(err, expected);
      assert.match(err, /^kubewright-apiserver: [^\n]*; see kubewright-apiserver --help\n$/);
    }
  });

  // A backtracking pattern or many copies of a document can block an event loop for hours. A blocked event loop handles no signal.
  test('kubewright-apiserver stops on SIGTERM while it processes expensive requests', async () => {
    await using server = await ServerProcess.start(['--port', '0']);
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const spec = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
    await server.send('POST', definitions, {
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { plural: 'things', kind: 'Thing' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
          },
        ],
      },
    });
    const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' } };
    const answers = Array.from({ length: 10 }, (_, at) =>
      server.send('POST', '/apis/example.com/v1/things', { ...thing, spec: { text: `${'a'.repeat(100_000 + at)}b` } }),
    );
    await Promise.race(answers);
    assert.equal((await server.stop('SIGTERM')).code, 0);
    await Promise.all(answers);
  });

  test('kubewright-apiserver exits with 3 if code that never returns keeps the server busy beyond the grace period', async () => {
    const blocked = join(folder, 'blocked');
    const block = new URL('./block-serving-thread.js', import.meta.url);
    const env = { NODE_OPTIONS: `--import ${block.href}`, BLOCK_WHEN: blocked };
    await using server = await ServerProcess.start(['--port', '0', '--grace-seconds', '0.5'], { env });
    const reported = server.untilPrinted(/^the event loop is blocked$/m);
    writeFileSync(blocked, '');
    await reported;
    const { code, err } = await server.stop('SIGTERM');
    assert.equal(code, 3, err);
    assert.match(
      err,
      /^kubewright-apiserver: the server did not stop within 0\.5 s; writes that were not acknowledged/m,
    );
  });

  test('kubewright-apiserver prints one line when it is ready, serves requests, and stops cleanly on SIGTERM and SIGINT', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const args = ['--port', '0', '--workloads', '--print-kubeconfig', '--kubernetes-version', '1.37'];
      await using server = await ServerProcess.start(args);
      const { kubeconfig } = server;
      assert.match(
        server.ready,
        /^kubewright-apiserver: ready at https:\/\/127\.0\.0\.1:\d+; try: kubectl --kubeconfig .+ get namespaces$/,
      );
      assert.equal((await server.send('GET', '/api/v1/namespaces/default'))?.status, 200);
      assert.equal((await server.send('GET', '/apis/storagemigration.k8s.io/v1'))?.status, 200);
      const printed = readFileSync(kubeconfig, 'utf8');
      const { code, out, err } = await server.stop(signal);
      assert.equal(code, 0);
      assert.equal(out, printed);
      assert.match(err, /^[^\n]*\n$/);
      assert.equal(existsSync(kubeconfig), false, 'the server left a kubeconfig that no option requested');
    }
  });

  test('kubewright-apiserver reports a failed start in one line and exits with 1', async () => {
    const data = join(folder, 'data');
    const kubeconfig = join(folder, 'kubeconfig');
    await using server = await ServerProcess.start(['--port', '0', '--data', data, '--kubeconfig', kubeconfig]);
    const port = /:(\d+);/.exec(server.ready)?.[1] ?? '';
    const cases: readonly [readonly string[], string][] = [
      [['--port', port], `cannot serve on 127.0.0.1:${port}: the port is in use`],
      [['--port', '0', '--data', data], `${data} is in use by process ${server.pid}`],
      [['--port', '0', '--data', join(kubeconfig, 'below')], `cannot store data in ${kubeconfig}/below: ENOTDIR`],
      [
        ['--port', '0', '--kubeconfig', join(kubeconfig, 'x')],
        `cannot write the kubeconfig to ${kubeconfig}/x: ENOTDIR`,
      ],
      [['--port', '0', '--host', '203.0.113.1'], 'cannot serve on 203.0.113.1:0: '],
    ];
    for (const [args, expected] of cases) {
      const { code, err } = await runToEnd(args);
      assert.equal(code, 1, err);
      assert.ok(err.startsWith(`kubewright-apiserver: ${expected}`), err);
      assert.match(err, /^[^\n]*\n$/);
    }
    assert.equal((await server.stop()).code, 0);
    assert.deepEqual(readdirSync(data).toSorted(), ['identity.json', 'objects.log']);
  });
});
