import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { Connection } from '@kubewright/runtime';
import type { Exchange } from './answers.js';
import type { Json } from './json.js';
import { NormalForm } from './normal-form.js';
import { only } from './only.js';
import { ContractWatch, type WatchRequest } from './contract-watch.js';
import { fromProtobuf, PROTOBUF } from './protobuf-wire.js';
import { bodyOf, Wire, type WireAnswer, type WireRequest } from './wire.js';
import { HANG_LIMIT_MS } from '../server/hang-limit.js';

/** How a request is sent, and which fields of its response are compared. */
export interface RequestOptions {
  /**
   * Dotted paths in the response to compare, '*' for each item of an array or each key. Other paths are ignored. @default the whole
   * response
   */
  readonly only?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the response is excluded from the comparison, because the request only prepares the case or depends on time. @default false */
  readonly quiet?: boolean;
  /** The media type of the body. @default JSON, or the merge patch of a PATCH */
  readonly type?: string;
  /** A bearer token instead of the administrator's credentials; '' for no credentials. */
  readonly as?: string;
  /** Additional headers of the response to compare, in lower case. */
  readonly showHeaders?: readonly string[];
}

type RequestBody = RequestOptions & { readonly body?: unknown };

/** A response as received. */
export interface ContractAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON, the JSON of a protobuf body, or the text of any other body. */
  readonly body: Json;
}

const comparedHeaders = ['content-type', 'content-encoding', 'location', 'retry-after', 'warning'];
const pollMs = 25;
/** The path of an object, without a subresource. */
const objectPath = /^\/(?:api|apis\/[^/]+)\/[^/]+(?:\/namespaces\/[^/]+)?\/(?!namespaces\/)[^/]+\/[^/]+/;

/** Sends the requests of one case of the contract, in a separate namespace and API group. */
export class ContractApi {
  readonly #wire: Wire;
  readonly #normal = new NormalForm();
  readonly #made: string[] = [];
  readonly #transcript: Exchange[] = [];
  /** A namespace that only contains the objects that a server creates in each namespace. */
  readonly namespace: string;
  /** An API group that no other case uses. */
  readonly group: string;
  /**
   * Whether each write waits until the cache of the server contains the written object. A real server first runs admission with the cached
   * object, and repeats admission if the object has changed. @default false
   */
  settlesBeforeWrites = false;

  /** Advances the time of an embedded server with a fake clock. Does nothing for other servers. The case then waits for its next state. */
  readonly pass: (ms: number) => Promise<void>;

  private constructor(connection: Connection, id: string, pass: (ms: number) => Promise<void>) {
    this.#wire = new Wire(connection);
    this.pass = pass;
    this.namespace = `case-${id}`;
    this.group = `g${id}.example.com`;
    this.#normal.name(this.namespace, '<namespace>');
    this.#normal.name(this.group, '<group>');
  }

  /** Creates the namespace and waits for its default service account, without which the server rejects Pods. */
  static async open(
    connection: Connection,
    pass: (ms: number) => Promise<void> = async () => undefined,
  ): Promise<ContractApi> {
    const api = new ContractApi(connection, randomBytes(5).toString('hex'), pass);
    await api.post('/api/v1/namespaces', { metadata: { name: api.namespace } }, { quiet: true });
    await api.until(`/api/v1/namespaces/${api.namespace}/serviceaccounts/default`, ({ status }) => status === 200);
    await api.until(`/api/v1/namespaces/${api.namespace}/configmaps/kube-root-ca.crt`, ({ status }) => status === 200);
    return api;
  }

  /** The requests and responses, in order. */
  get transcript(): readonly Exchange[] {
    return this.#transcript;
  }

  /** Returns a unique name, which is shown as `<prefix>`. */
  name(prefix: string): string {
    const name = `${prefix}-${randomBytes(4).toString('hex')}`;
    this.#normal.name(name, `<${prefix}>`);
    return name;
  }

  /** Replaces `text` with `shown` in all following comparisons. */
  mask(text: string, shown: string): void {
    this.#normal.name(text, shown);
  }

  /** Records a request that the server sent to a webhook of the case. */
  received(
    request: string,
    body: unknown,
    options: Pick<RequestOptions, 'only'> & { readonly headers?: Readonly<Record<string, string>> } = {},
  ): void {
    this.#transcript.push({
      request: this.#normal.text(request),
      ...(options.headers && { headers: options.headers }),
      body: this.#normal.value(only(body, options.only)),
    });
  }

  get(path: string, options?: RequestOptions): Promise<ContractAnswer> {
    return this.request('GET', path, { ...options });
  }
  post(path: string, body?: unknown, options?: RequestOptions): Promise<ContractAnswer> {
    return this.request('POST', path, { body, ...options });
  }
  put(path: string, body?: unknown, options?: RequestOptions): Promise<ContractAnswer> {
    return this.request('PUT', path, { body, ...options });
  }
  patch(path: string, body?: unknown, options?: RequestOptions): Promise<ContractAnswer> {
    return this.request('PATCH', path, { body, type: 'application/merge-patch+json', ...options });
  }
  delete(path: string, body?: unknown, options?: RequestOptions): Promise<ContractAnswer> {
    return this.request('DELETE', path, { body, ...options });
  }

  /** Sends a request. Sends a body that is a string or a Buffer unchanged, and any other body as JSON. */
  async request(method: string, path: string, { body, ...options }: RequestBody): Promise<ContractAnswer> {
    if (method === 'GET') await this.#catchUp(path);
    else if (this.settlesBeforeWrites) await this.#settle(method, path);
    const read = await this.#ask(method, path, { body, ...options });
    if (method === 'POST' && read.status === 201) this.#remember(path, read.body);
    if (options.quiet !== true) this.#record(`${method} ${path}`, read, options);
    return read;
  }

  /**
   * Opens a watch, runs `during` when the server has started to respond, and collects events until `until` returns true or the server ends
   * the stream. Omits bookmarks unless `bookmarks` is set.
   */
  async watch(
    path: string,
    { during, until, bookmarks, ...options }: WatchRequest & RequestOptions,
  ): Promise<readonly unknown[]> {
    await this.#catchUp(path);
    const answer = await this.#send('GET', path, options);
    const watch = new ContractWatch(answer, bookmarks ?? false);
    const request = `GET ${path}`;
    if (answer.status !== 200) {
      this.#record(request, await readAnswer(answer), options);
      return [];
    }
    try {
      const events = watch.until(until);
      await during?.();
      const seen = await events;
      if (options.quiet !== true) {
        const shown = seen.map((event) => only(event, options.only));
        this.#transcript.push({
          ...this.#head(request, answer, options),
          events: shown.map((event) => this.#normal.value(event)),
        });
      }
      return seen;
    } finally {
      watch.close();
    }
  }

  /** Repeats a GET request until the response matches, and returns this response. Does not compare the responses. */
  until(path: string, isSo: (answer: ContractAnswer) => boolean): Promise<ContractAnswer> {
    return this.eventually(path, () => this.get(path, { quiet: true }), isSo);
  }

  /** Repeats any request until the response matches, and returns this response. The error at the time limit contains `what`. */
  async eventually(
    what: string,
    ask: () => Promise<ContractAnswer>,
    isSo: (answer: ContractAnswer) => boolean,
  ): Promise<ContractAnswer> {
    const end = performance.now() + HANG_LIMIT_MS;
    for (;;) {
      const answer = await ask().catch(nothingIfCut);
      if (answer !== undefined && isSo(answer)) return answer;
      if (performance.now() > end) {
        throw new Error(`${what} did not reach the expected state: ${JSON.stringify(answer?.body)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  /** Deletes the namespace of the case unless `keepNamespace` is set, and the objects that the case created outside of the namespace. */
  async close({ keepNamespace = false }: { readonly keepNamespace?: boolean } = {}): Promise<void> {
    const kept = keepNamespace ? `/api/v1/namespaces/${this.namespace}` : undefined;
    for (const path of this.#made.toReversed()) if (path !== kept) await this.delete(path, undefined, { quiet: true });
    this.#wire.close();
  }

  /**
   * Waits until the cache of a real server contains the current state. Waits only before requests that the server may answer from an older
   * cache: reads at a minimum resourceVersion or at 0, and watches that begin with the current state.
   */
  async #catchUp(path: string): Promise<void> {
    const { pathname, searchParams } = new URL(path, 'https://server');
    if (pathname.includes('/watch/')) return;
    const version = searchParams.get('resourceVersion') ?? '';
    const mayBeOld = searchParams.has('watch')
      ? version === '' || version === '0'
      : version !== '' && searchParams.get('resourceVersionMatch') !== 'Exact';
    if (!mayBeOld || searchParams.has('continue')) return;
    await this.untilCached(pathname);
  }

  /** Waits until the cache of a real server contains the current state of the object or of the list that a write changes. */
  async #settle(method: string, path: string): Promise<void> {
    const { pathname } = new URL(path, 'https://server');
    const object = objectPath.exec(pathname)?.[0];
    if (object === undefined && method === 'POST') return;
    const isKnown = await this.untilCached(object ?? pathname);
    if (!isKnown && object !== undefined) await this.untilCached(object.slice(0, object.lastIndexOf('/')));
  }

  /** Waits until the cache of the server contains the current state of a path. Returns false if the path has no state. */
  async untilCached(pathname: string): Promise<boolean> {
    const { body } = await this.#ask('GET', pathname);
    const current = (body as { metadata?: { resourceVersion?: string } }).metadata?.resourceVersion;
    if (current === undefined) return false;
    const atLeast = `${pathname}?resourceVersion=${current}`;
    await this.eventually(
      atLeast,
      () => this.#ask('GET', atLeast),
      ({ status }) => status !== 504,
    );
    return true;
  }

  async #ask(method: string, path: string, options: RequestBody = {}): Promise<ContractAnswer> {
    return readAnswer(await this.#send(method, path, options));
  }

  /**
   * Sends a request. A real server responds with 429 while it initializes the storage of a new kind; this response is retried, not
   * compared.
   */
  async #send(
    method: string,
    path: string,
    { body, headers = {}, type = 'application/json', as }: RequestBody,
  ): Promise<WireAnswer> {
    const token = as ?? (await this.#wire.token()) ?? '';
    const request: WireRequest = {
      method,
      path,
      headers: {
        accept: 'application/json',
        'user-agent': 'contract/1.0',
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': type }),
        ...headers,
      },
      ...(body !== undefined && {
        body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
    };
    this.#keep(request);
    for (;;) {
      const answer = await this.#wire.send(request);
      if (answer.status !== 429) return answer;
      const refusal = await bodyOf(answer);
      if (!refusal.includes('storage is (re)initializing')) return { ...answer, body: Readable.from([refusal]) };
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  /** Appends the request to the file that KUBEWRIGHT_RECORD_REQUESTS names, for the corpus of the fuzzer. */
  #keep({ method, path, headers, body }: WireRequest): void {
    const file = process.env['KUBEWRIGHT_RECORD_REQUESTS'];
    if (file === undefined || Buffer.isBuffer(body)) return;
    const kept = { method, path, type: headers['content-type'], accept: headers['accept'], body };
    appendFileSync(file, `${this.#normal.text(JSON.stringify(kept))}\n`);
  }

  #record(request: string, answer: ContractAnswer, options: RequestOptions): void {
    const body =
      typeof answer.body === 'string'
        ? this.#normal.text(answer.body)
        : this.#normal.value(only(answer.body, options.only));
    this.#transcript.push({ ...this.#head(request, answer, options), body });
  }

  #head(
    request: string,
    { status, headers }: Pick<ContractAnswer, 'status'> & { readonly headers: object },
    options: RequestOptions,
  ): Exchange {
    const given = headers as Readonly<Record<string, string | undefined>>;
    const desired = [...comparedHeaders, ...(options.showHeaders ?? [])].flatMap((name) => {
      const value = given[name];
      return value === undefined || (name === 'content-type' && value === 'application/json')
        ? []
        : [[name, this.#normal.text(value)] as const];
    });
    return {
      request: this.#normal.text(request),
      status,
      ...(desired.length > 0 && { headers: Object.fromEntries(desired) }),
    };
  }

  /** Records created objects outside of the namespace of the case, which must be deleted individually. */
  #remember(path: string, body: unknown): void {
    const { pathname } = new URL(path, 'https://server');
    if (path.includes(`/namespaces/${this.namespace}/`) || path.includes('dryRun=')) return;
    const name = (body as { metadata?: { name?: string } } | undefined)?.metadata?.name;
    if (name !== undefined) this.#made.push(`${pathname}/${name}`);
  }
}

async function readAnswer(answer: WireAnswer): Promise<ContractAnswer> {
  const headers = plainHeaders(answer);
  const body = await bodyOf(answer);
  const isProtobuf = headers['content-type']?.startsWith(PROTOBUF) === true;
  return { status: answer.status, headers, body: isProtobuf ? await fromProtobuf(body) : parsed(body) };
}

function plainHeaders({ headers }: WireAnswer): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    ),
  );
}

function parsed(body: Buffer): unknown {
  const text = body.toString();
  try {
    return JSON.parse(text);
  } catch {
    // Some responses are not JSON: error pages, metrics, logs.
    return text;
  }
}

/** Returns undefined if the connection was reset. A real server resets requests for a kind while it replaces the definition of the kind. */
function nothingIfCut(error: unknown): undefined {
  if ((error as { readonly code?: unknown }).code !== 'ECONNRESET') throw error;
}
