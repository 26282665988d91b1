import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { before, test, type TestContext } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { Store } from '../../storage/store.js';
import type { ApiObject } from '../objects/api-object.js';
import { type KeyPair, TestAuthority } from './certificates.test.support.js';
import { WebhookCallError } from './webhook-call-error.js';
import { type WebhookCall, WebhookClient } from './webhook-client.js';

const store = new Store();
let authority: TestAuthority;
let local: KeyPair;

before(async () => {
  authority = await TestAuthority.create();
  local = await authority.issue({ addresses: ['127.0.0.1'], hosts: ['localhost'] });
});

test('sends the body in a POST request and returns the JSON response', async (context) => {
  const sent: { request: IncomingMessage; body: string }[] = [];
  const port = await serve(context, async (request, response) => {
    sent.push({ request, body: await textOf(request) });
    response.setHeader('content-type', 'application/json').end('{"large":9007199254740993,"ok":true}');
  });
  const answer = await callOf(context, { url: `https://127.0.0.1:${port}/a//b/?query=dropped` });
  assert.deepEqual(answer, { large: 9007199254740993n, ok: true });
  const [{ request, body }] = sent as [{ request: IncomingMessage; body: string }];
  assert.equal(body, '{"review":true}');
  assert.equal(`${request.method} ${request.url}`, 'POST /a/b?timeout=5s');
  assert.equal(request.headers['content-type'], 'application/json');
});

test('reuses connections, and sends a request again if the webhook closes a reused connection', async (context) => {
  const sockets: number[] = [];
  let requests = 0;
  const port = await serve(context, (request, response) => {
    requests += 1;
    sockets.push(request.socket.remotePort ?? 0);
    if (requests === 3) request.socket.destroy();
    else response.end('{}');
  });
  const client = clientOf(context);
  for (let call = 0; call < 3; call += 1) await client.call(callTo({ url: `https://127.0.0.1:${port}` }));
  assert.equal(requests, 4);
  assert.equal(sockets[0], sockets[1]);
  assert.equal(new Set(sockets).size, 2);
});

test('follows redirects to HTTPS URLs as Go does', async (context) => {
  const requests: string[] = [];
  const port = await serve(context, async (request, response) => {
    requests.push(`${request.method} ${request.url} ${await textOf(request)}`);
    if (request.url?.startsWith('/same')) response.writeHead(307, { location: '/other' }).end();
    else if (request.url === '/other') response.writeHead(302, { location: '/get' }).end();
    else if (request.url?.startsWith('/loop')) response.writeHead(302, { location: '/loop' }).end();
    else if (request.url?.startsWith('/plain')) response.writeHead(302, { location: 'http://127.0.0.1/' }).end();
    else response.end('{"done":true}');
  });
  const origin = `https://127.0.0.1:${port}`;
  assert.deepEqual(await callOf(context, { url: `${origin}/same` }), { done: true });
  assert.deepEqual(requests, ['POST /same?timeout=5s {"review":true}', 'POST /other {"review":true}', 'GET /get ']);
  await fails(callOf(context, { url: `${origin}/loop` }), `Post "${origin}/loop": stopped after 10 redirects`);
  await fails(
    callOf(context, { url: `${origin}/plain` }),
    'Post "http://127.0.0.1/": unsupported protocol scheme "http"',
  );
});

test('repeats a request after a response with status 429 or 503 and a Retry-After header', async (context) => {
  let requests = 0;
  const port = await serve(context, (_, response) => {
    requests += 1;
    if (requests < 3) response.writeHead(requests === 1 ? 429 : 503, { 'retry-after': '0' }).end();
    else response.end('{}');
  });
  await callOf(context, { url: `https://127.0.0.1:${port}` });
  assert.equal(requests, 3);
});

test('reports error statuses and invalid responses with the messages of kube-apiserver', async (context) => {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'not today' };
  const answers: Readonly<Record<string, readonly [number, string, string?]>> = {
    '/empty': [200, ''],
    '/text': [200, 'hello'],
    '/number': [200, '5'],
    '/500': [500, 'broken "engine"\n', 'text/plain'],
    '/502': [502, '{}'],
    '/404': [404, 'no'],
    '/418': [418, 'tea', 'text/plain'],
    '/status': [500, JSON.stringify(status)],
    '/incomplete': [200, '{"a":'],
    '/list': [200, '- a'],
  };
  const port = await serve(context, (request, response) => {
    const [code, body, type = 'application/json'] = answers[request.url?.split('?')[0] ?? ''] ?? [404, ''];
    response.writeHead(code, { 'content-type': type }).end(body);
  });
  const type =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  const lead = "couldn't get version/kind; json parse error: json: cannot unmarshal";
  const texts: Readonly<Record<string, string>> = {
    '/empty': '0-length response with status code: 200 and content type: application/json',
    '/text': `${lead} string into Go value of type ${type}`,
    '/number': `${lead} number into Go value of type ${type}`,
    '/500': 'an error on the server ("broken \\"engine\\"") has prevented the request from succeeding',
    '/502': 'an error on the server ("unknown") has prevented the request from succeeding',
    '/404': 'the server could not find the requested resource',
    '/418': 'the server responded with the status code 418 but did not return more information',
    '/status': 'not today',
    '/incomplete': "couldn't get version/kind; json parse error: unexpected end of JSON input",
    '/list': `${lead} array into Go value of type ${type}`,
  };
  for (const [path, text] of Object.entries(texts)) {
    await fails(callOf(context, { url: `https://127.0.0.1:${port}${path}` }), text);
  }
});

test('accepts compressed responses and responses in YAML', async (context) => {
  const port = await serve(context, (request, response) => {
    if (request.url?.startsWith('/yaml')) response.end('done: true\nlist: [1]\n');
    else if (request.url?.startsWith('/null')) response.end('null');
    else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"done":true}'));
  });
  const origin = `https://127.0.0.1:${port}`;
  assert.deepEqual(await callOf(context, { url: `${origin}/yaml` }), { done: true, list: [1] });
  assert.deepEqual(await callOf(context, { url: `${origin}/null` }), {});
  assert.deepEqual(await callOf(context, { url: `${origin}/gzip` }), { done: true });
});

test('verifies the certificate of the webhook, and sends nothing if the certificate is invalid', async (context) => {
  let requests = 0;
  const handler: Handler = (_, response) => {
    requests += 1;
    response.end('{}');
  };
  const lead = 'tls: failed to verify certificate: x509:';
  const failing = async (pair: KeyPair, text: string, host = '127.0.0.1'): Promise<void> => {
    const origin = `https://${host}:${await serve(context, handler, pair)}`;
    await fails(callOf(context, { url: origin }), `Post "${origin}/?timeout=5s": ${lead} ${text}`);
  };
  await failing(
    await authority.issue({ addresses: ['127.0.0.2', '::1'] }),
    'certificate is valid for 127.0.0.2, ::1, not 127.0.0.1',
  );
  await failing(
    await authority.issue({ hosts: ['localhost'] }),
    "cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs",
  );
  await failing(
    await authority.issue({ hosts: ['a.example', '*.localhost'] }),
    'certificate is valid for a.example, *.localhost, not localhost',
    'localhost',
  );
  await failing(
    await authority.issue({ commonName: 'localhost' }),
    'certificate relies on legacy Common Name field, use SANs instead',
    'localhost',
  );
  await failing(
    await authority.issue({ commonName: 'other' }),
    'certificate is not valid for any names, but wanted to match localhost',
    'localhost',
  );
  await failing(
    await authority.issue({ addresses: ['127.0.0.1'], usage: 'clientAuth' }),
    'certificate specifies an incompatible key usage',
  );
  const other = await TestAuthority.create('CN=other-ca');
  await failing(await other.issue({ addresses: ['127.0.0.1'] }), 'certificate signed by unknown authority');
  const namesake = await TestAuthority.create();
  const why = '"x509: ECDSA verification failure" while trying to verify candidate authority certificate "test-ca"';
  await failing(
    await namesake.issue({ addresses: ['127.0.0.1'] }),
    `certificate signed by unknown authority (possibly because of ${why})`,
  );
  const expired = await serve(context, handler, await authority.issue({ addresses: ['127.0.0.1'], hours: [-3, -2] }));
  await assert.rejects(
    callOf(context, { url: `https://127.0.0.1:${expired}` }),
    /x509: certificate has expired or is not yet valid: current time \S+Z is after \S+Z$/,
  );
  const future = await serve(context, handler, await authority.issue({ addresses: ['127.0.0.1'], hours: [1, 2] }));
  await assert.rejects(callOf(context, { url: `https://127.0.0.1:${future}` }), /current time \S+Z is before \S+Z$/);
  assert.equal(requests, 0);
});

test('reports a failed connection to a webhook', async (context) => {
  const refused = createTcpServer();
  const free = await listen(refused);
  refused.close();
  await once(refused, 'close');
  await fails(
    callOf(context, { url: `https://127.0.0.1:${free}/x` }),
    `Post "https://127.0.0.1:${free}/x?timeout=5s": dial tcp 127.0.0.1:${free}: connect: connection refused`,
  );
  const closing = createTcpServer((socket) => socket.destroy());
  const early = await listen(closing, context);
  await fails(
    callOf(context, { url: `https://127.0.0.1:${early}` }),
    `Post "https://127.0.0.1:${early}/?timeout=5s": EOF`,
  );
  const plain = await listen(
    createHttpServer((_, response) => response.end('{}')),
    context,
  );
  await fails(
    callOf(context, { url: `https://127.0.0.1:${plain}` }),
    `Post "https://127.0.0.1:${plain}/?timeout=5s": http: server gave HTTP response to HTTPS client`,
  );
  const silent = await serve(context, (request) => request.socket.destroy());
  await fails(
    callOf(context, { url: `https://127.0.0.1:${silent}` }),
    `Post "https://127.0.0.1:${silent}/?timeout=5s": EOF`,
  );
  const broken = await serve(context, (request, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('{');
    setImmediate(() => request.socket.destroy());
  });
  const body = 'unexpected error when reading response body. Please retry. Original error: unexpected EOF';
  await fails(callOf(context, { url: `https://127.0.0.1:${broken}` }), body);
});

test('ends a call after its timeout, when its signal is aborted, or when the client is closed', async (context) => {
  const arrived: (() => void)[] = [];
  const port = await serve(context, () => arrived.shift()?.());
  const url = `https://127.0.0.1:${port}`;
  const client = clientOf(context);
  const text = (why: string, seconds: number): string => `Post "${url}/?timeout=${seconds}s": context ${why}`;
  await fails(client.call({ ...callTo({ url }), timeoutMs: 50 }), text('deadline exceeded', 1));
  const canceled = new AbortController();
  arrived.push(() => canceled.abort());
  await fails(client.call({ ...callTo({ url }), signal: canceled.signal }), text('canceled', 5));
  arrived.push(() => client.close());
  await fails(client.call(callTo({ url })), text('canceled', 5));
  await fails(client.call(callTo({ url })), text('canceled', 5));
});

test('reports an invalid client configuration', async (context) => {
  await fails(callOf(context, {}), 'webhook configuration must have either service or URL');
  const bundles: readonly (readonly [string, string])[] = [
    ['none', 'unable to parse bytes as PEM block'],
    [
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      'failed to parse certificate: x509: malformed certificate',
    ],
  ];
  for (const [text, why] of bundles) {
    const caBundle = Buffer.from(text).toString('base64');
    const call = callOf(context, { url: 'https://127.0.0.1:1', caBundle });
    await fails(call, `unable to load root certificates: ${why}`);
  }
});

test('connects to a Service through its external name or a ready endpoint', async (context) => {
  const pair = await authority.issue({ hosts: ['hook.apps.svc'] });
  const hosts: unknown[] = [];
  const handler: Handler = (request, response) => {
    hosts.push(request.headers.host, request.url);
    response.setHeader('connection', 'close').end('{}');
  };
  const port = await serve(context, handler, pair);
  const services = new Store();
  const client = new WebhookClient(services, new SystemClock());
  context.after(() => client.close());
  const call = (): Promise<unknown> =>
    client.call(callTo({ service: { namespace: 'apps', name: 'hook', path: '/convert', port } }));
  const lead = `Post "https://hook.apps.svc:${port}/convert?timeout=5s":`;
  await fails(call(), `${lead} service "hook" not found`);
  const service = (spec: object): ApiObject => object('v1', 'Service', 'hook', { spec });
  services.create('/services', service({ type: 'ExternalName', externalName: '127.0.0.1' }));
  await call();
  services.update('/services', service({ type: 'ClusterIP', ports: [{ name: 'other', port: port + 1 }] }));
  await fails(call(), `${lead} no service port ${port} found for service "hook"`);
  services.update('/services', service({ type: 'ClusterIP', ports: [{ name: 'https', port }] }));
  await fails(call(), `${lead} no endpoints available for service "hook"`);
  const slice = (name: string, rest: object): ApiObject =>
    object('discovery.k8s.io/v1', 'EndpointSlice', name, rest, { 'kubernetes.io/service-name': 'hook' });
  const bucket = 'discovery.k8s.io/endpointslices';
  const ports = [{ name: 'https', port }];
  const unready = { addresses: ['127.0.0.2'], conditions: { ready: false } };
  services.create(bucket, slice('a', { ports, endpoints: [unready] }));
  await fails(call(), `${lead} no endpoints available for service "hook"`);
  services.create(bucket, slice('b', { ports, endpoints: [unready, { addresses: ['127.0.0.1'] }] }));
  await call();
  const target = [`hook.apps.svc:${port}`, '/convert?timeout=5s'];
  assert.deepEqual(hosts, [...target, ...target]);
});

function object(apiVersion: string, kind: string, name: string, rest: object, labels = {}): ApiObject {
  return { apiVersion, kind, metadata: { namespace: 'apps', name, labels }, ...rest } as unknown as ApiObject;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;
type Config = WebhookCall['clientConfig'];

function clientOf(context: TestContext): WebhookClient {
  const client = new WebhookClient(store, new SystemClock());
  context.after(() => client.close());
  return client;
}

function callTo(config: Config): WebhookCall {
  return { clientConfig: { caBundle: authority.caBundle, ...config }, body: '{"review":true}', timeoutMs: 5000 };
}

function callOf(context: TestContext, config: Config): Promise<unknown> {
  return clientOf(context).call(callTo(config));
}

async function fails(call: Promise<unknown>, message: string): Promise<void> {
  await assert.rejects(call, (error) => {
    assert(error instanceof WebhookCallError);
    assert.equal(error.message, message);
    return true;
  });
}

function serve(context: TestContext, handler: Handler, pair = local): Promise<number> {
  return listen(
    createServer(pair, (request, response) => void handler(request, response)),
    context,
  );
}

async function listen(server: Server, context?: TestContext): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context?.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
