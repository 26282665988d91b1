// Serves generated objects to the measured programs: lists, pages, streaming lists, watches at a given rate, and single requests. The bytes
// are encoded before a measurement, so that the server needs little of the machine. Sends the ports and the CA to the parent process.
//
// A path begins with the number of objects, for example /n10000/api/v1/pods. The second server, on HTTP, controls the load:
// - POST /prepare?kind=pods&count=10000 generates objects, and forgets the changes by requests
// - POST /push?kind=pods&count=5000&among=10000[&rate=1000] sends events to all watches, and responds after the last event
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { applyMergePatch } from '@kubewright/api/patch';
import { selfSignedCertificate } from '@kubewright/runtime/internal';
import { Collection, type Encoding, LISTED_VERSION } from './collection.js';
import { DISCOVERY, NUMBERED_GROUP } from './discovery.js';
import { encodePods } from './encoder.js';
import type { LoadKind } from './objects.js';

/** What the load server sends to its parent process when it accepts requests. */
export interface LoadServerReady {
  readonly apiPort: number;
  readonly controlPort: number;
  readonly ca: string;
}

type Request = IncomingMessage | Http2ServerRequest;
type Response = ServerResponse | Http2ServerResponse;
/** The methods of a response that exist in both protocol versions with different types. */
type Writable = Pick<ServerResponse, 'write' | 'end' | 'destroyed' | 'once' | 'flushHeaders'>;
interface Watcher {
  readonly response: Writable;
  readonly encoding: Encoding;
}

const collections: Readonly<Record<LoadKind, Collection>> = {
  pods: new Collection('pods', encodePods),
  webservices: new Collection('webservices'),
};
const watchers: Readonly<Record<LoadKind, Set<Watcher>>> = { pods: new Set(), webservices: new Set() };
const CONTENT_TYPES: Readonly<Record<Encoding, string>> = {
  json: 'application/json',
  protobuf: 'application/vnd.kubernetes.protobuf',
};

function reply(response: Response, body: object | Buffer, { status = 200, type = CONTENT_TYPES.json } = {}): void {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  response.statusCode = status;
  response.setHeader('content-type', type);
  response.setHeader('content-length', bytes.length);
  (response as Writable).end(bytes);
}

/** Writes a chunk, and waits until the client has read enough of the response. Returns false if the client has closed it. */
async function write(response: Writable, chunk: Buffer): Promise<boolean> {
  if (response.destroyed) return false;
  if (response.write(chunk)) return true;
  const closed = new AbortController();
  const { signal } = closed;
  await Promise.race([
    once(response as ServerResponse, 'drain', { signal }),
    once(response as ServerResponse, 'close', { signal }),
  ]).finally(() => closed.abort());
  return !response.destroyed;
}

async function watch(
  response: Response,
  { kind, count, url, encoding }: Target & { readonly url: URL },
): Promise<void> {
  response.setHeader(
    'content-type',
    encoding === 'protobuf' ? `${CONTENT_TYPES.protobuf};stream=watch` : CONTENT_TYPES.json,
  );
  response.statusCode = 200;
  const stream = response as Writable;
  stream.flushHeaders();
  if (url.searchParams.get('sendInitialEvents') === 'true') {
    for await (const chunk of collections[kind].initialEvents(count, encoding)) {
      if (!(await write(stream, chunk))) return;
    }
  }
  const watcher: Watcher = { response: stream, encoding };
  watchers[kind].add(watcher);
  stream.once('close', () => watchers[kind].delete(watcher));
}

interface Target {
  readonly kind: LoadKind;
  /** The number of objects that the client sees. */
  readonly count: number;
  readonly encoding: Encoding;
}

async function list(response: Response, { kind, count, encoding, url }: Target & { readonly url: URL }): Promise<void> {
  const from = Number(url.searchParams.get('continue') ?? 0);
  const limit = Number(url.searchParams.get('limit') ?? 0);
  const to = limit > 0 ? Math.min(count, from + limit) : count;
  response.setHeader('content-type', CONTENT_TYPES[encoding]);
  const stream = response as Writable;
  for (const chunk of collections[kind].list({ from, to, total: count }, encoding)) {
    if (!(await write(stream, chunk))) return;
  }
  stream.end();
}

async function bodyOf(request: Request): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8') as AsyncIterable<string>) text += chunk;
  return text;
}

/** Responds to GET and PATCH of one object. A patch that changes nothing does not change the resourceVersion, and causes no event. */
async function single(
  request: Request,
  response: Response,
  { kind, key, encoding }: Target & { readonly key: string },
): Promise<void> {
  const collection = collections[kind];
  const index = collection.indexOf(key);
  if (index === undefined)
    return reply(response, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 404 }, { status: 404 });
  if (request.method === 'PATCH') {
    if (request.headers['content-type'] !== 'application/merge-patch+json')
      throw new Error('only merge patches are implemented');
    const before = collection.objectBytes(index).toString();
    const after = applyMergePatch(JSON.parse(before), JSON.parse(await bodyOf(request))) as {
      readonly metadata: object;
    };
    if (JSON.stringify(after) !== before) {
      const frame = collection.store(index, after);
      for (const watcher of watchers[kind]) watcher.response.write(frame);
    }
  }
  reply(response, collection.bodyOf(index, encoding), { type: CONTENT_TYPES[encoding] });
}

/** Responds to lists and watches of the kinds without objects. */
function none(response: Response, name: string, isWatch: boolean): void {
  const [kind, apiVersion] = [`N${name.slice(1, -1)}`, `${NUMBERED_GROUP}/v1`];
  if (!isWatch)
    return reply(response, {
      kind: `${kind}List`,
      apiVersion,
      metadata: { resourceVersion: LISTED_VERSION },
      items: [],
    });
  const metadata = { resourceVersion: LISTED_VERSION, annotations: { 'k8s.io/initial-events-end': 'true' } };
  response.setHeader('content-type', CONTENT_TYPES.json);
  (response as Writable).write(`${JSON.stringify({ type: 'BOOKMARK', object: { kind, apiVersion, metadata } })}\n`);
}

const PATH = /^\/n(?<count>\d+)(?<rest>\/.*)$/;
const RESOURCE =
  /^\/(?:api|apis\/[^/]+)\/[^/]+(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<plural>[^/]+)(?:\/(?<name>[^/]+))?(?:\/status)?$/;

async function handle(request: Request, response: Response): Promise<void> {
  const url = new URL(request.url ?? '/', 'https://127.0.0.1');
  const { count = '0', rest = '' } = PATH.exec(url.pathname)?.groups ?? {};
  const document = DISCOVERY[rest];
  if (document !== undefined) return reply(response, document);
  const { namespace = '', plural = '', name } = RESOURCE.exec(rest)?.groups ?? {};
  const isWatch = ['true', '1'].includes(url.searchParams.get('watch') ?? '');
  if (plural.startsWith('numbered')) return none(response, plural, isWatch);
  if (plural !== 'pods' && plural !== 'webservices')
    return reply(response, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 404 }, { status: 404 });
  const encoding = collections[plural].encodingOf(request.headers.accept ?? '');
  const target = { kind: plural, count: Number(count), encoding, url } as const;
  if (name !== undefined) return single(request, response, { ...target, key: `${namespace}/${name}` });
  return isWatch ? watch(response, target) : list(response, target);
}

interface Push {
  readonly count: number;
  readonly among: number;
  /** Events per second. Infinity sends as fast as the client reads. */
  readonly rate: number;
}

async function push(kind: LoadKind, { response, encoding }: Watcher, { count, among, rate }: Push): Promise<void> {
  const [collection, begun] = [collections[kind], performance.now()];
  for (let sent = 0; sent < count; ) {
    const due = Math.min(count, sent + 50, Math.floor(((performance.now() - begun) / 1000) * rate));
    const events: Buffer[] = [];
    for (; sent < due; sent += 1) events.push(collection.event(sent, { among, encoding }));
    if (events.length > 0 && !(await write(response, Buffer.concat(events)))) return;
    if (rate !== Number.POSITIVE_INFINITY) await new Promise((resume) => setTimeout(resume, 1));
  }
}

async function control(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const kind = searchParams.get('kind') as LoadKind;
  const count = Number(searchParams.get('count'));
  if (pathname === '/prepare') await collections[kind].prepare(count);
  else if (pathname === '/push') {
    const among = Number(searchParams.get('among'));
    const rate = searchParams.has('rate') ? Number(searchParams.get('rate')) : Number.POSITIVE_INFINITY;
    await Promise.all([...watchers[kind]].map((each) => push(kind, each, { count, among, rate })));
  } else if (pathname !== '/watchers') return reply(response, {}, { status: 404 });
  reply(response, { watchers: watchers[kind].size });
}

/** Closes the response if a handler fails, and prints the error, so that a measurement does not wait for a response. */
function guarded<Q, S extends Response>(handler: (request: Q, response: S) => Promise<void>) {
  return (request: Q, response: S): void => {
    handler(request, response).catch((error: unknown) => {
      process.stderr.write(`load server: ${String(error)}\n`);
      response.statusCode = 500;
      (response as Writable).end();
    });
  };
}

const certificate = selfSignedCertificate(['127.0.0.1']);
const api = createSecureServer({ ...certificate, allowHTTP1: true }, guarded(handle));
const controls = createServer(guarded(control));
for (const server of [api, controls]) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}
const portOf = (server: typeof api | typeof controls): number => (server.address() as AddressInfo).port;
process.send?.({ apiPort: portOf(api), controlPort: portOf(controls), ca: certificate.cert } satisfies LoadServerReady);
process.on('disconnect', () => process.exit());
// Ctrl-C in a terminal also interrupts this process. The parent process ends it after the report.
process.on('SIGINT', () => undefined);
