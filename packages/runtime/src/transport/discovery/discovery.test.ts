import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamicKind } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { KubewrightError } from '@kubewright/api/errors';
import { ScriptedServer } from '../../test-support/scripted-server.js';
import { Discovery } from './discovery.js';
import { resourcePath } from '../request/resource-path.js';
import { Transport } from '../sending/transport.js';

const hasCode = (code: string) => (error: unknown) => error instanceof KubewrightError && error.code === code;

test('resolves a built-in kind without a request', async () => {
  const discovery = new Discovery(new Transport({ server: 'http://127.0.0.1:1' }));
  const info = await discovery.resolve(ConfigMap);
  assert.equal(resourcePath(info, { namespace: 'a', name: 'b' }), '/api/v1/namespaces/a/configmaps/b');
});

test('caches a dynamic kind that was found, and repeats the lookup of a kind that was not found', async () => {
  await using server = await ScriptedServer.start();
  await using transport = new Transport({ server: server.url });
  const discovery = new Discovery(transport);
  const Backup = dynamicKind('backup.example.com/v1', 'Backup');
  const missed = assert.rejects(discovery.resolve(Backup), hasCode('KIND_NOT_SERVED'));
  const first = await server.next();
  assert.equal(first.path, '/apis/backup.example.com/v1');
  first.status(404, 'NotFound');
  await missed;
  const found = Promise.all([discovery.resolve(Backup), discovery.resolve(Backup)]);
  const resources = [
    { name: 'backups/status', kind: 'Backup', namespaced: true },
    { name: 'backups', kind: 'Backup', namespaced: true },
  ];
  (await server.next()).json(200, { kind: 'APIResourceList', resources });
  const [info, same] = await found;
  assert.deepEqual(info, same);
  assert.equal(
    resourcePath(info, { namespace: 'a', name: 'b', subresource: 'status' }),
    '/apis/backup.example.com/v1/namespaces/a/backups/b/status',
  );
  assert.equal(server.requests, 2);
});

test('[CG-181] rejects names that are not valid in a URL path', async () => {
  const info = { group: '', version: 'v1', apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
  for (const name of ['', '.', '..', 'a/b', 'a%2fb'])
    assert.throws(() => resourcePath(info, { name }), hasCode('INVALID_NAME'));
});

/** A server that responds to each path with a status code or a document. */
class AnsweringServer implements AsyncDisposable {
  readonly transport: Transport;
  readonly requested: string[] = [];
  answers: Readonly<Record<string, number | object>>;
  readonly #server: ScriptedServer;

  private constructor(server: ScriptedServer, answers: Readonly<Record<string, number | object>>) {
    this.#server = server;
    this.answers = answers;
    this.transport = new Transport({ server: server.url });
    void this.#serve();
  }
  static async start(answers: Readonly<Record<string, number | object>>): Promise<AnsweringServer> {
    return new AnsweringServer(await ScriptedServer.start(), answers);
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.transport.close();
    await this.#server.close();
  }
  async #serve(): Promise<void> {
    for (;;) {
      const exchange = await this.#server.next();
      this.requested.push(exchange.path);
      const answer = this.answers[exchange.path] ?? 404;
      if (typeof answer === 'number') exchange.status(answer, answer === 404 ? 'NotFound' : 'Answered');
      else if (exchange.headers['if-none-match'] === '"1"') exchange.text(304, '');
      else exchange.json(200, answer, { etag: '"1"' });
    }
  }
}

const resource = (kind: string): object => ({ name: `${kind.toLowerCase()}s`, kind, namespaced: true, verbs: ['get'] });
const aggregatedVersion = (version: string, kind: string, freshness = 'Current'): object => ({
  version,
  freshness,
  resources: [{ resource: `${kind.toLowerCase()}s`, responseKind: { kind }, scope: 'Namespaced', verbs: ['get'] }],
});
const aggregated = (...groups: readonly (readonly [name: string, ...versions: readonly object[]])[]): object => ({
  kind: 'APIGroupDiscoveryList',
  items: groups.map(([name, ...versions]) => ({ metadata: { name }, versions })),
});
const plainGroup = (name: string, versions: readonly string[], preferred?: string): object => ({
  name,
  versions: versions.map((version) => ({ version })),
  preferredVersion: { version: preferred ?? versions[0] },
});

test('[CG-198] combines groups from aggregated discovery with groups from legacy discovery', async () => {
  await using server = await AnsweringServer.start({
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/api/v1': { resources: [resource('Pod'), { name: 'pods/log', kind: 'Pod', namespaced: true }] },
    '/apis': aggregated(['a.io', aggregatedVersion('v2', 'Thing'), aggregatedVersion('v1', 'Thing')]),
  });
  const discovery = new Discovery(server.transport);
  const { groups, failed } = await discovery.served();
  assert.deepEqual(
    groups.flatMap(({ group, versions }) =>
      versions.map(({ version, resources }) => `${group}/${version}: ${resources?.map((one) => one.plural).join()}`),
    ),
    ['/v1: pods', 'a.io/v2: things', 'a.io/v1: things'],
  );
  assert.deepEqual(groups[0]?.versions[0]?.resources?.[0]?.subresources, ['log']);
  assert.equal(failed.size, 0);
  assert.deepEqual(server.requested.toSorted(), ['/api', '/api/v1', '/apis']);
  server.requested.length = 0;
  await discovery.find({ group: 'a.io', kind: 'Thing' });
  await discovery.find({ group: '', version: 'v1', kind: 'Pod' });
  assert.deepEqual(server.requested, []);
});

test('[CG-198] reports a version as failed if its server is unreachable, and returns the other groups', async () => {
  await using server = await AnsweringServer.start({
    '/api': aggregated(),
    '/apis': aggregated(
      ['down.io', aggregatedVersion('v1', 'Gone', 'Stale')],
      ['up.io', aggregatedVersion('v1', 'Thing')],
    ),
  });
  const discovery = new Discovery(server.transport);
  const { groups, failed } = await discovery.served();
  assert.deepEqual([...failed.keys()], ['down.io/v1']);
  assert.match(String(failed.get('down.io/v1')), /could not reach the server of this API; check its APIService/);
  assert.equal(groups.length, 2);
  assert.equal((await discovery.find({ group: 'up.io', kind: 'Thing' })).plural, 'things');
  await assert.rejects(discovery.find({ group: 'down.io', kind: 'Gone' }), hasCode('DISCOVERY_FAILED'));
});

test('[CG-199] accepts a server without the core group, and rejects a server without /apis', async () => {
  await using server = await AnsweringServer.start({ '/apis': aggregated(['a.io', aggregatedVersion('v1', 'Thing')]) });
  const discovery = new Discovery(server.transport);
  assert.deepEqual(
    (await discovery.served()).groups.map(({ group }) => group),
    ['a.io'],
  );
  await assert.rejects(discovery.find({ group: '', kind: 'Pod' }), hasCode('KIND_NOT_SERVED'));
  for (const answer of [404, 403, 500]) {
    server.answers = { '/apis': answer };
    await assert.rejects(discovery.served(), (error) => (error as { status?: unknown }).status === answer);
  }
  server.answers = { '/apis': { kind: 'Other' } };
  await assert.rejects(new Discovery(server.transport).served(), hasCode('DISCOVERY_FAILED'));
});

for (const [nature, code] of [['permanently', 403] as const, ['temporarily', 503] as const]) {
  test(`[CG-200] reports a version whose discovery fails ${nature}, requests this version again at a lookup, and caches other versions`, async () => {
    const groups = { kind: 'APIGroupList', groups: [plainGroup('bad.io', ['v1']), plainGroup('good.io', ['v1'])] };
    const good = { '/apis': groups, '/apis/good.io/v1': { resources: [resource('Good')] } };
    await using server = await AnsweringServer.start({ ...good, '/apis/bad.io/v1': code });
    const discovery = new Discovery(server.transport);
    const { failed } = await discovery.served();
    assert.deepEqual([...failed.keys()], ['bad.io/v1']);
    server.requested.length = 0;
    await assert.rejects(
      discovery.find({ group: 'bad.io', kind: 'Bad' }),
      (error) => (error as { status?: unknown }).status === code,
    );
    assert.equal((await discovery.find({ group: 'good.io', kind: 'Good' })).version, 'v1');
    assert.deepEqual(
      new Set(server.requested),
      new Set(['/apis/bad.io/v1']),
      'only the failed version is requested again',
    );
    server.answers = { ...good, '/apis/bad.io/v1': { resources: [resource('Bad')] } };
    assert.equal((await discovery.find({ group: 'bad.io', kind: 'Bad' })).plural, 'bads');
  });
}

test('[CG-200] an aborted lookup rejects with the reason of the signal, and its response is cached for later lookups', async () => {
  await using server = await ScriptedServer.start();
  await using transport = new Transport({ server: server.url });
  const discovery = new Discovery(transport);
  const stop = new AbortController();
  const waiting = discovery.find({ group: 'a.io', version: 'v1', kind: 'Thing' }, stop.signal);
  const exchange = await server.next();
  stop.abort();
  await assert.rejects(waiting, { name: 'AbortError' });
  await assert.rejects(discovery.find({ group: 'a.io', version: 'v1', kind: 'Thing' }, stop.signal), {
    name: 'AbortError',
  });
  exchange.json(200, { resources: [resource('Thing')] });
  assert.equal((await discovery.find({ group: 'a.io', version: 'v1', kind: 'Thing' })).plural, 'things');
  assert.equal(server.requests, 1);
});

test('[CW-24] uses the preferred version even if it is not listed first, and uses no other version if the request for the preferred version fails', async () => {
  const groups = { kind: 'APIGroupList', groups: [plainGroup('a.io', ['v1', 'v2', 'v3'], 'v2')] };
  const lists = { '/apis/a.io/v1': { resources: [resource('Old'), resource('Thing')] } };
  await using server = await AnsweringServer.start({
    '/apis': groups,
    ...lists,
    '/apis/a.io/v2': { resources: [resource('Thing')] },
  });
  const discovery = new Discovery(server.transport);
  assert.equal((await discovery.find({ group: 'a.io', kind: 'Thing' })).version, 'v2');
  assert.equal(
    (await discovery.find({ group: 'a.io', kind: 'Old' })).version,
    'v1',
    'the preferred version does not have this kind',
  );
  discovery.invalidate();
  server.answers = { '/apis': groups, ...lists, '/apis/a.io/v2': 503 };
  await assert.rejects(discovery.find({ group: 'a.io', kind: 'Thing' }), (error) => String(error).includes('a.io/v2'));
});

test('[CW-19] a group without versions has no kinds', async () => {
  await using server = await AnsweringServer.start({
    '/apis': { kind: 'APIGroupList', groups: [plainGroup('a.io', [])] },
  });
  await assert.rejects(
    new Discovery(server.transport).find({ group: 'a.io', kind: 'Thing' }),
    hasCode('KIND_NOT_SERVED'),
  );
});

/**
 * Each case has the versions of a cached group and a lookup of one version. `there` is whether the server serves this version, and `again`
 * is whether the next lookup must request the group again.
 */
const INVALIDATIONS = [
  { known: ['v1', 'v2'], requested: 'v1', there: false, again: true },
  { known: ['v1', 'v2'], requested: 'v3', there: false, again: false },
  { known: ['v1'], requested: 'v1', there: false, again: true },
  { known: ['v1', 'v2'], requested: 'v1', there: true, again: false },
];
for (const { known, requested, there, again } of INVALIDATIONS) {
  test(`[CW-23, CW-25] a lookup of ${requested}, which is ${there ? '' : 'not '}served, ${again ? 'removes' : 'keeps'} a cached group with ${known.join(' and ')}`, async () => {
    const groups = { kind: 'APIGroupList', groups: [plainGroup('a.io', ['v0', ...known], 'v0')] };
    const first = { '/apis': groups, '/apis/a.io/v0': { resources: [resource('Thing')] } };
    await using server = await AnsweringServer.start({
      ...first,
      ...(there ? { [`/apis/a.io/${requested}`]: { resources: [resource('Thing')] } } : {}),
    });
    const discovery = new Discovery(server.transport);
    await discovery.find({ group: 'a.io', kind: 'Thing' });
    const lookup = discovery.find({ group: 'a.io', version: requested, kind: 'Thing' });
    if (there) await lookup;
    else await assert.rejects(lookup, hasCode('KIND_NOT_SERVED'));
    server.requested.length = 0;
    await discovery.find({ group: 'a.io', kind: 'Thing' });
    assert.deepEqual(server.requested, again ? ['/apis', '/apis/a.io/v0'] : []);
  });
}

test('[CG-201] requests the aggregated document again if a kind is not found, and keeps the cached document after status 304', async () => {
  await using server = await AnsweringServer.start({ '/apis': aggregated(['a.io', aggregatedVersion('v1', 'Thing')]) });
  const discovery = new Discovery(server.transport);
  await discovery.find({ group: 'a.io', kind: 'Thing' });
  await assert.rejects(discovery.find({ group: 'a.io', kind: 'Other' }), hasCode('KIND_NOT_SERVED'));
  assert.deepEqual(server.requested, ['/apis', '/apis']);
  assert.equal(
    (await discovery.find({ group: 'a.io', kind: 'Thing' })).version,
    'v1',
    'status 304 does not change the cached document',
  );
  assert.deepEqual(server.requested, ['/apis', '/apis']);
  await assert.rejects(discovery.find({ group: 'a.io' }), hasCode('INVALID_OPTION'));
});
