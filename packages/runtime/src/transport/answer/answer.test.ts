import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import {
  type ApiError,
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotFound,
  isTooManyRequests,
  KubewrightError,
} from '@kubewright/api/errors';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import { ScriptedServer } from '../../test-support/scripted-server.js';
import { apiErrorOf, bodyText } from './answer.js';
import { RequestLog } from '../observation/request-log.js';
import { Transport } from '../sending/transport.js';

const errorOf = (code: number, body: string | object, retryAfterSeconds?: number): ApiError =>
  apiErrorOf({
    code,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    retryAfterSeconds,
    attempted: 'get pod default/a',
    request: { path: '/api/v1/namespaces/default/pods/a' },
  });
const status = (more: object): object => ({ kind: 'Status', apiVersion: 'v1', status: 'Failure', ...more });

test('[CG-182] an error contains the details and the causes of a Status', () => {
  const details = {
    name: 'a',
    kind: 'pods',
    causes: [{ reason: 'FieldValueRequired', message: 'm', field: 'spec.a' }],
  };
  const error = errorOf(422, status({ code: 422, reason: 'Invalid', message: 'pods "a" is invalid', details }));
  assert.ok(isInvalid(error));
  assert.equal(error.message, 'get pod default/a: pods "a" is invalid');
  assert.deepEqual(error.body.details, details);
  assert.equal(
    errorOf(403, status({ reason: 'Forbidden' })).status,
    403,
    'if the Status has no code, the error has the HTTP status code',
  );
});

const REASONS: readonly (readonly [code: number, reason: string, is?: (error: unknown) => boolean])[] = [
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden', isForbidden],
  [404, 'NotFound', isNotFound],
  [405, 'MethodNotAllowed'],
  [406, 'NotAcceptable'],
  [409, 'Conflict', isConflict],
  [410, 'Gone', isExpired],
  [413, 'RequestEntityTooLarge'],
  [415, 'UnsupportedMediaType'],
  [418, 'Unknown'],
  [422, 'Invalid', isInvalid],
  [429, 'TooManyRequests', isTooManyRequests],
  [500, 'InternalError'],
  [502, 'InternalError'],
  [503, 'ServiceUnavailable'],
  [504, 'Timeout'],
];
for (const [code, reason, is] of REASONS) {
  test(`[CG-182] converts a response with status ${code} whose body is not a Status to an error with reason ${reason}`, () => {
    for (const body of [
      '',
      'no luck',
      '<html>no luck</html>',
      '{"kind":"Pod"}',
      status({ status: 'Success' }),
      '{"half',
      '\u0000',
    ]) {
      const error = errorOf(code, body);
      assert.equal(error.status, code);
      assert.equal(error.reason, reason);
      assert.equal(is === undefined || is(error), true);
      assert.equal(isAlreadyExists(error), false);
      assert.ok(error.message.startsWith(`get pod default/a: the server returned HTTP ${code}`));
    }
    assert.match(errorOf(code, '').message, /without a body$/);
    assert.match(errorOf(code, 'no luck').message, /: no luck$/);
  });
}

test('[CG-182] an error contains the retry delay; the delay in the Status takes precedence over the header', () => {
  assert.equal(errorOf(503, 'busy', 7).body.details?.retryAfterSeconds, 7);
  const reported = status({ code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 3 } });
  assert.equal(errorOf(429, reported, 7).body.details?.retryAfterSeconds, 3);
  assert.equal(errorOf(503, 'busy').body.details, undefined);
});

test('[CG-183] an error contains the start of a long body and the number of omitted bytes', () => {
  assert.equal(bodyText(Buffer.from('short'), 10), 'short');
  assert.equal(bodyText(Buffer.from('exactly10!'), 10), 'exactly10!');
  assert.equal(bodyText(Buffer.from('longer than ten'), 10), 'longer tha… (5 more bytes)');
  const message = errorOf(502, 'x'.repeat(1_000_000)).message;
  assert.ok(message.length < 2200 && message.endsWith('… (997952 more bytes)'), message.slice(-50));
});

test('an error contains neither a JSON body nor credentials from a text', () => {
  const canary = 'c4nary-v4lue';
  for (const body of [
    JSON.stringify({ kind: 'Secret', data: { key: canary } }),
    `{"kind":"Secret","data":{"key":"${canary}`,
    JSON.stringify([canary]),
    `proxy: cannot connect to postgres://app:${canary}@db, password=${canary}`,
  ]) {
    const shown = inspect(errorOf(502, body), { depth: 10 });
    assert.ok(!shown.includes(canary), shown);
  }
});

test('[CG-183, CG-192] a request log contains bodies up to the configured size, but no headers and no bodies of secrets', async () => {
  await using server = await ScriptedServer.start();
  const logger = new RecordingLogger();
  const observers = [new RequestLog({ logger, maxBodyBytes: 20 })];
  await using transport = new Transport({ server: server.url, token: 'secret-1' }, { observers });
  const send = async (path: string, body: object, answer: object): Promise<void> => {
    const answered = transport.request({ method: 'POST', path, body });
    (await server.next()).json(201, answer);
    await answered;
  };
  await send('/api/v1/namespaces/a/configmaps', { a: 'x'.repeat(100) }, { b: 1 });
  assert.deepEqual(
    { ...logger.lines[0]?.fields, durationMs: 0 },
    {
      verb: 'POST',
      path: '/api/v1/namespaces/a/configmaps',
      attempted: 'POST /api/v1/namespaces/a/configmaps',
      code: 201,
      durationMs: 0,
      sent: `{"a":"${'x'.repeat(14)}… (88 more bytes)`,
      answered: '{"b":1}',
    },
  );
  for (const path of [
    '/api/v1/namespaces/a/secrets',
    '/api/v1/secrets/b',
    '/api/v1/namespaces/a/serviceaccounts/b/token',
  ])
    await send(path, { a: 'secret-2' }, { a: 'secret-3' });
  assert.doesNotMatch(JSON.stringify(logger.lines), /secret-\d/);
  assert.deepEqual([logger.lines[3]?.fields['sent'], logger.lines[3]?.fields['answered']], ['<masked>', '<masked>']);
  assert.ok(logger.lines.every(({ level }) => level === 'debug'));
});

test('a request log contains only the size of a protobuf body, because its secret fields cannot be masked', () => {
  const logger = new RecordingLogger();
  const request = {
    verb: 'GET',
    host: 'server',
    path: '/api/v1/pods',
    query: '',
    attempted: 'list pods',
    stream: false,
    headers: {},
    body: undefined,
    requestBytes: 0,
  };
  const body = Buffer.from('k8s\0password-1');
  new RequestLog({ logger, maxBodyBytes: 100 }).request(request).answered?.({ code: 200, durationMs: 1, body });
  assert.equal(logger.lines[0]?.fields['answered'], 'protobuf of 14 bytes (not shown)');
});

test('[CG-184] a transport logs each warning once, ignores warnings or passes them to a function; onWarning of a request takes precedence', async () => {
  await using server = await ScriptedServer.start();
  const logger = new RecordingLogger();
  const [ofClient, ofRequest]: [string[], string[]] = [[], []];
  await using logging = new Transport({ server: server.url }, { logger });
  await using ignoring = new Transport({ server: server.url }, { logger, warnings: 'ignore' });
  const handler = (text: string, { agent, attempted }: { readonly agent: string; readonly attempted: string }): void =>
    void ofClient.push(`${agent} ${attempted}: ${text}`);
  await using handing = new Transport({ server: server.url }, { logger, warnings: handler });
  const answered = async (transport: Transport, onWarning?: (text: string) => void): Promise<void> => {
    const done = transport.request({ method: 'GET', path: '/', attempted: 'try', onWarning });
    const warning = '299 - "one", 199 - "not ours", 299 kube "two \\"quoted\\"", rubbish, 299 "none"';
    (await server.next()).json(200, {}, { warning });
    await done;
  };
  await answered(logging);
  await answered(logging);
  assert.deepEqual(
    logger.lines.map(({ level, fields }) => [level, fields['warning']]),
    [
      ['warn', 'one'],
      ['warn', 'two "quoted"'],
    ],
  );
  await answered(ignoring);
  await answered(handing);
  await answered(handing);
  await answered(ignoring, (text) => void ofRequest.push(text));
  await answered(handing, (text) => void ofRequest.push(text));
  assert.equal(logger.lines.length, 2);
  assert.deepEqual(ofClient, ['- try: one', 'kube try: two "quoted"', '- try: one', 'kube try: two "quoted"']);
  assert.deepEqual(ofRequest, ['one', 'two "quoted"', 'one', 'two "quoted"']);
  const opening = handing.stream({ path: '/watch', attempted: 'watch' });
  (await server.next()).text(200, '', { warning: '299 - "deprecated"' });
  (await opening).close();
  assert.equal(ofClient.at(-1), '- watch: deprecated');
});

test('[CG-185] a watch requests JSON, accepts every JSON media type and rejects other media types', async () => {
  await using server = await ScriptedServer.start();
  await using transport = new Transport({ server: server.url });
  const open = async (type: string, accept?: string): Promise<string> => {
    const opening = transport.stream({ path: '/watch', attempted: 'watch pods', ...(accept && { accept }) });
    const exchange = await server.next();
    assert.equal(exchange.headers.accept, accept ?? 'application/json');
    exchange.text(200, 'bytes', { 'content-type': type });
    let text = '';
    for await (const chunk of await opening) text += chunk.toString();
    return text;
  };
  for (const type of ['application/json', 'application/json;stream=watch', 'Application/JSON; charset=utf-8', ''])
    assert.equal(await open(type), 'bytes');
  for (const type of ['application/vnd.kubernetes.protobuf;stream=watch', 'text/html', 'application/cbor-seq'])
    await assert.rejects(open(type), (error) => {
      assert.equal((error as KubewrightError).code, 'INVALID_RESPONSE');
      return String(error).includes(`watch pods: the server returned ${type} instead of application/json`);
    });
  assert.equal(await open('text/plain', 'text/plain, */*'), 'bytes');
});

test('[CG-186] the iteration over a stream ends when the body ends or is closed, and throws if the connection breaks', async () => {
  await using server = await ScriptedServer.start();
  await using transport = new Transport({ server: server.url });
  const open = async (): Promise<{
    read: AsyncIterator<Buffer>;
    close: () => void;
    exchange: Awaited<ReturnType<ScriptedServer['next']>>;
  }> => {
    const opening = transport.stream({ path: '/watch' });
    const exchange = (await server.next()).send('a');
    const stream = await opening;
    const read = stream[Symbol.asyncIterator]();
    assert.equal(String((await read.next()).value), 'a');
    return { read, exchange, close: () => stream.close() };
  };
  const ended = await open();
  const last = ended.read.next();
  ended.exchange.end();
  assert.equal((await last).done, true);
  assert.equal((await ended.read.next()).done, true);
  const closed = await open();
  const waiting = closed.read.next();
  closed.close();
  closed.close();
  assert.equal((await waiting).done, true);
  await closed.exchange.closed;
  const cut = await open();
  const broken = assert.rejects(cut.read.next());
  cut.exchange.cut();
  await broken;
});
