import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KubewrightError } from '@kubewright/api/errors';
import { configMap, ReflectorBench } from '../../test-support/reflector-bench.js';
import type { Exchange } from '../../test-support/scripted-server.js';

const LIST = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '20' }, items: [] };

const badLists: readonly (readonly [title: string, body: string, message: RegExp])[] = [
  ['items that are null', JSON.stringify({ ...LIST, items: null }), /'items' of the list is null/],
  ['no items', JSON.stringify({ ...LIST, items: undefined }), /'items' of the list is missing/],
  ['items that are numbers', JSON.stringify({ ...LIST, items: [1, 2] }), /an object is a number/],
  ['items that are strings', JSON.stringify({ ...LIST, items: ['a,b', 'c'] }), /an object is a string/],
  ['an item that is null', JSON.stringify({ ...LIST, items: [configMap('b', '2'), null] }), /an object is null/],
  ['an item that is an array', JSON.stringify({ ...LIST, items: [[]] }), /an object is an array/],
  ['an item that is missing', '{"kind":"ConfigMapList","apiVersion":"v1","items":[,]}', /not valid JSON/],
  [
    'an item after the last comma',
    '{"kind":"ConfigMapList","apiVersion":"v1","items":[{"metadata":{"name":"b"}},]}',
    /JSON/,
  ],
  ['a list of another kind', JSON.stringify({ ...LIST, kind: 'SecretList' }), /SecretList of v1 instead of/],
  ['a resourceVersion that is an object', JSON.stringify({ ...LIST, metadata: { resourceVersion: {} } }), /an object/],
  [
    'an item whose resourceVersion is an object',
    JSON.stringify({ ...LIST, items: [configMap('b', {} as string)] }),
    /'metadata.resourceVersion' of an object is an object/,
  ],
  [
    'a list that ends in the middle of an item',
    JSON.stringify({ ...LIST, items: [configMap('b', '11'), configMap('c', '12')] }).slice(0, -20),
    /list configmaps: .* position \d+/,
  ],
  [
    'an item that is not valid JSON',
    JSON.stringify({ ...LIST, items: [configMap('b', '11'), configMap('c', '12')] }).replace('"uid-c"', 'uid-c'),
    /list configmaps: .* position 89/,
  ],
  ['an array', '[]', /not a list but an array/],
  ['null', 'null', /not a list but null/],
  ['HTML', '<html>Please log in</html>', /not valid JSON/],
];

for (const [title, body, message] of badLists) {
  test(`reports an error for an invalid list response (${title}), and keeps the cached objects`, async () => {
    await using bench = await ReflectorBench.start();
    (await bench.server.next()).list('10', [configMap('a', '5')]);
    (await bench.server.next()).errorEvent(410, 'Expired');
    await bench.passDelay();
    (await bench.server.next()).text(200, body);
    await bench.waiting();
    const { lastError, problem, lists } = bench.reflector.status;
    assert.equal((lastError as KubewrightError).code, 'INVALID_RESPONSE');
    assert.match(String(lastError), message);
    assert.ok(problem);
    assert.equal(lists, 1);
    assert.deepEqual(bench.target.calls, ['replace a:5 @10']);
    const reported = bench.logger.lines.filter(({ level }) => level === 'warn');
    assert.equal(reported.length, 1);
    await bench.passDelay();
    (await bench.server.next()).list('30', [configMap('a', '25')]);
    await bench.reported('replace a:25 @30');
  });
}

const badEvents: readonly (readonly [title: string, line: string, message: RegExp])[] = [
  ['an array', '[]', /an event is an array/],
  ['null', 'null', /an event is null/],
  ['invalid JSON', '{"type":', /watch configmaps: an event is not JSON: .* position 8/],
  [
    'a change with invalid JSON',
    JSON.stringify({ type: 'MODIFIED', object: configMap('a', '11') }).replace('"11"', '11x'),
    /watch configmaps: an event is not JSON: .* position \d+/,
  ],
  ['a change without an object', '{"type":"ADDED"}', /an object is missing/],
  ['a change of a string', '{"type":"MODIFIED","object":"a"}', /an object is a string/],
  ['a bookmark without a version', '{"type":"BOOKMARK","object":{"metadata":{}}}', /of a bookmark is missing/],
  ['a bookmark without an object', '{"type":"BOOKMARK"}', /of a bookmark is missing/],
  [
    'a change whose version is an object',
    JSON.stringify({ type: 'ADDED', object: configMap('b', {} as string) }),
    /'metadata.resourceVersion' of an object is an object/,
  ],
];

for (const [title, line, message] of badEvents) {
  test(`reports an error for a watch event that is ${title}, and lists again with back-off`, async () => {
    await using bench = await ReflectorBench.start();
    (await bench.server.next()).list('10', [configMap('a', '5')]);
    (await bench.server.next()).send(`${line}\n`);
    const { delayMs } = await bench.waiting();
    assert.equal(delayMs, 800);
    assert.equal((bench.reflector.status.lastError as KubewrightError).code, 'INVALID_RESPONSE');
    assert.match(String(bench.reflector.status.lastError), message);
    assert.deepEqual(bench.target.calls, ['replace a:5 @10']);
    await bench.passDelay();
    assert.equal((await bench.server.next()).query.watch, undefined);
  });
}

const useless: readonly (readonly [title: string, send: (watch: Exchange) => void])[] = [
  ['an empty array', (watch) => watch.send('[]\n').end()],
  ['an old bookmark', (watch) => watch.bookmark('10').end()],
  ['objects of another kind', (watch) => watch.event('ADDED', { ...configMap('b', '11'), kind: 'Secret' }).end()],
  ['an unknown event', (watch) => watch.event('RENAMED', configMap('a', '11')).end()],
];

for (const [title, send] of useless) {
  test(`increases the delay if the server ends each watch after sending only ${title}`, async () => {
    await using bench = await ReflectorBench.start();
    const delays: number[] = [];
    while (delays.length < 5) {
      const exchange = await bench.server.next();
      if (exchange.query.watch === undefined) {
        exchange.list('10', [configMap('a', '5')]);
        continue;
      }
      send(exchange);
      delays.push(await bench.passDelay());
    }
    assert.deepEqual(delays, [800, 1600, 3200, 6400, 12_800]);
    const reported = bench.logger.lines.filter(({ message }) => message.includes('trying again'));
    assert.equal(reported.length, 1, 'the error is logged once, although lists succeed in between');
  });
}

test('resumes a watch immediately if the server ends a watch that has delivered a newer version', async () => {
  await using bench = await ReflectorBench.start();
  (await bench.server.next()).list('10', [configMap('a', '5')]);
  for (const version of ['11', '12', '13']) {
    const watch = await bench.server.next();
    watch.bookmark(version).end();
  }
  assert.equal((await bench.server.next()).query.resourceVersion, '13');
  assert.equal(bench.clock.monotonicMs(), 0);
});

test('applies a change without a version, and keeps the last known version', async () => {
  await using bench = await ReflectorBench.start();
  (await bench.server.next()).list('10', [configMap('a', '5')]);
  const { resourceVersion: _, ...metadata } = configMap('b', '').metadata;
  const watch = await bench.server.next();
  watch.event('MODIFIED', configMap('a', '11')).event('ADDED', { ...configMap('b', ''), metadata });
  await bench.until(() => bench.target.objects.has('b'));
  assert.equal(bench.reflector.status.resourceVersion, '11');
});

test('closes a streaming list if the initial events do not end within 30 s after a bookmark, even if the stream sends changes', async () => {
  const arrived = new Set<string>();
  await using bench = await ReflectorBench.start({
    streaming: true,
    transform: (object) => {
      arrived.add(object.metadata.resourceVersion ?? '');
      return object;
    },
  });
  const { clock } = bench;
  for (const [first, later] of [
    ['5', '11'],
    ['6', '12'],
  ] as const) {
    const stream = await bench.server.next();
    assert.equal(stream.query.sendInitialEvents, 'true');
    stream.event('ADDED', configMap('a', first));
    await waitUntil(() => arrived.has(first));
    clock.advance(5000);
    stream.bookmark('10');
    await clock.scheduled(30_000);
    clock.advance(15_000);
    stream.event('MODIFIED', configMap('a', later));
    await waitUntil(() => arrived.has(later));
    clock.advance(15_000);
    await stream.closed;
    if (first === '5') await bench.passDelay();
  }
  assert.match(String(bench.errors.at(-1)), /the initial objects were not complete within 30 s after a bookmark/);
  assert.equal(
    (await bench.server.next()).query.watch,
    undefined,
    'after the second incomplete stream, the reflector uses paged lists',
  );
});

async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

test('a watch that is waiting to reconnect resumes when a response to another request ends the outage', async () => {
  await using bench = await ReflectorBench.start();
  const { port } = bench.server;
  (await bench.server.next()).list('10', [configMap('a', '5')]);
  const watch = await bench.server.next();
  watch.bookmark('11');
  await bench.reported('bookmark @11');
  await bench.server.close();
  await bench.waiting();
  await bench.server.listen(port);
  const other = bench.transport.request({ method: 'GET', path: '/version' });
  (await bench.server.next()).json(200, {});
  await other;
  await bench.clock.scheduled(0);
  bench.clock.advance(0);
  assert.equal((await bench.server.next()).query.resourceVersion, '11');
  assert.equal(bench.clock.monotonicMs(), 0);
  const shown = bench.logger.lines.filter(({ level }) => level !== 'debug').map(({ fields }) => fields['outage']);
  assert.deepEqual(shown, ['begin', 'end']);
});

for (const [title, send] of [
  ['a change', (watch: Exchange) => watch.event('MODIFIED', configMap('a', '61'))],
  ['a bookmark', (watch: Exchange) => watch.bookmark('61')],
] as const) {
  test(`lists again, and logs a warning, if a watch sends ${title} of an older version`, async () => {
    await using bench = await ReflectorBench.start();
    (await bench.server.next()).list('100', [configMap('a', '90'), configMap('lost', '95')]);
    const watch = await bench.server.next();
    watch.bookmark('101');
    await bench.reported('bookmark @101');
    send(watch);
    await watch.closed;
    assert.equal(await bench.passDelay(), 800);
    const relist = await bench.server.next();
    assert.deepEqual([relist.query.resourceVersion, relist.query.watch], [undefined, undefined]);
    relist.list('61', [configMap('a', '61')]);
    await bench.reported('replace a:61 @61');
    assert.deepEqual(bench.target.calls, ['replace a:90 lost:95 @100', 'bookmark @101', 'replace a:61 @61']);
    const logged = bench.logger.lines.filter(({ message }) => message.includes('returned to an earlier state'));
    assert.deepEqual(
      logged.map(({ fields }) => [fields['before'], fields['now']]),
      [['101', '61']],
    );
  });
}

test('the delays between attempts are at most 30 s during an outage, and start with the initial delay after the outage', async () => {
  await using bench = await ReflectorBench.start({ random: () => 0.5 });
  const { port } = bench.server;
  (await bench.server.next()).list('10', [configMap('a', '5')]);
  (await bench.server.next()).bookmark('11');
  await bench.reported('bookmark @11');
  await bench.server.close();
  let beforeMs = 0;
  while (beforeMs < 600_000) beforeMs += await bench.passDelay();
  const last = await bench.waiting();
  assert.equal(last.delayMs, 30_000);
  await bench.server.listen(port);
  bench.clock.advance(30_000);
  (await bench.server.next()).status(403, 'Forbidden');
  assert.equal(await bench.passDelay(), 1200);
  assert.equal((await bench.server.next()).query.watch, undefined);
  assert.deepEqual(
    bench.states.flatMap((state) => (state.name === 'waiting' && state.delayMs > 30_000 ? [state.delayMs] : [])),
    [],
  );
});

test('reads an object of 20 MB from a list and from a watch', async () => {
  await using bench = await ReflectorBench.start();
  const data = { text: 'x'.repeat(20_000_000) };
  (await bench.server.next()).list('10', [configMap('a', '5', { data }), configMap('b', '6')]);
  const watch = await bench.server.next();
  assert.deepEqual(bench.target.calls, ['replace a:5 b:6 @10']);
  watch.event('MODIFIED', configMap('a', '11', { data }));
  await bench.reported('put a:11 @11');
  assert.deepEqual((bench.target.objects.get('a') as { data?: unknown } | undefined)?.data, data);
});

test('reports an error for a watch whose event does not end, and lists again with back-off', async () => {
  await using bench = await ReflectorBench.start();
  (await bench.server.next()).list('10', [configMap('a', '5')]);
  const watch = await bench.server.next();
  watch.send('{"type":"MODIFIED","object":{"data":{"text":"');
  const part = 'x'.repeat(4 * 1024 * 1024);
  const closed = watch.closed.then(() => 'closed');
  while ((await Promise.race([watch.taken(part), closed])) !== 'closed');
  await bench.waiting();
  assert.match(String(bench.reflector.status.lastError), /watch configmaps: an event has more than 64 MiB/);
  assert.deepEqual(bench.target.calls, ['replace a:5 @10']);
  await bench.passDelay();
  (await bench.server.next()).list('30', [configMap('a', '25')]);
  await bench.reported('replace a:25 @30');
});
