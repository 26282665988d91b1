import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { Connection } from '@kubewright/runtime';
import type { Exchange } from './answers.js';
import type { Json } from './json.js';
import { NormalForm } from './normal-form.js';
import { only } from './only.js';
import { ContractWatch, type WatchRequest } from './contract-watch.js';
import { bodyOf, Wire, type WireAnswer, type WireRequest } from './wire.js';

/** How a request is made, and what of its answer counts. */
export interface RequestOptions {
  /** Dotted paths of the answer that are compared, '*' for each item of an array or each key; the rest is left out. @default all of it */
  readonly only?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer is not compared: the request prepares something, or depends on time. @default false */
  readonly quiet?: boolean;
  /** The media type of the body. @default JSON, or the merge patch of a PATCH */
  readonly type?: string;
  /** A bearer token in place of the administrator's credentials; '' for none. */
  readonly as?: string;
  /** Further headers of the answer that are compared, in lower case. */
  readonly showHeaders?: readonly string[];
}

/** An answer as it came. */
export interface ContractAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed when it is JSON, else the text. */
  readonly body: Json;
}

const comparedHeaders = ['content-type', 'content-encoding', 'location', 'retry-after', 'warning'];
const pollMs = 25;
const patienceMs = 60_000;

/** The server, as one case of the contract sees it: requests by hand, in a namespace and a group of its own. */
export class ContractApi {
  readonly #wire: Wire;
  readonly #normal = new NormalForm();
  readonly #made: string[] = [];
  readonly #transcript: Exchange[] = [];
  /** A namespace that is there and empty but for what a server puts into each. */
  readonly namespace: string;
  /** An API group that nobody else uses. */
  readonly group: string;

  private constructor(connection: Connection, id: string) {
    this.#wire = new Wire(connection);
    this.namespace = `case-${id}`;
    this.group = `g${id}.example.com`;
    this.#normal.name(this.namespace, '<namespace>');
    this.#normal.name(this.group, '<group>');
  }

  /** Makes the namespace and waits for its service account, without which no Pod is let in. */
  static async open(connection: Connection): Promise<ContractApi> {
    const api = new ContractApi(connection, randomBytes(5).toString('hex'));
    await api.post('/api/v1/namespaces', { metadata: { name: api.namespace } }, { quiet: true });
    await api.until(`/api/v1/namespaces/${api.namespace}/serviceaccounts/default`, ({ status }) => status === 200);
    await api.until(`/api/v1/namespaces/${api.namespace}/configmaps/kube-root-ca.crt`, ({ status }) => status === 200);
    return api;
  }

  /** What was asked and answered, in order. */
  get transcript(): readonly Exchange[] {
    return this.#transcript;
  }

  /** A name that nobody else uses; shown as `<prefix>`. */
  name(prefix: string): string {
    const name = `${prefix}-${randomBytes(4).toString('hex')}`;
    this.#normal.name(name, `<${prefix}>`);
    return name;
  }

  /** From now on, `text` is shown as `shown` in what is compared. */
  mask(text: string, shown: string): void {
    this.#normal.name(text, shown);
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

  /** Any request. A body that is a string or a Buffer is sent as it is, anything else as JSON. */
  async request(
    method: string,
    path: string,
    { body, ...options }: RequestOptions & { readonly body?: unknown },
  ): Promise<ContractAnswer> {
    const answer = await this.#send(method, path, { body, ...options });
    const read: ContractAnswer = {
      status: answer.status,
      headers: plainHeaders(answer),
      body: parsed(await bodyOf(answer)),
    };
    if (method === 'POST' && read.status === 201) this.#remember(path, read.body);
    if (options.quiet !== true) this.#record(`${method} ${path}`, read, options);
    return read;
  }

  /**
   * Opens a watch, runs `during` once the server has begun to answer, and collects events until they are what `until`
   * waits for, or the server ends the stream. Bookmarks are left out unless asked for.
   */
  async watch(
    path: string,
    { during, until, bookmarks, ...options }: WatchRequest & RequestOptions,
  ): Promise<readonly unknown[]> {
    const answer = await this.#send('GET', path, options);
    const watch = new ContractWatch(answer, bookmarks ?? false);
    const request = `GET ${path}`;
    if (answer.status !== 200) {
      this.#record(
        request,
        { status: answer.status, headers: plainHeaders(answer), body: parsed(await bodyOf(answer)) },
        options,
      );
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

  /** Asks again and again, without comparing, until the answer is as it has to be; gives that answer. */
  until(path: string, isSo: (answer: ContractAnswer) => boolean): Promise<ContractAnswer> {
    return this.eventually(path, () => this.get(path, { quiet: true }), isSo);
  }

  /** As `until`, for a question that is no GET: `what` says in the error what was waited for. */
  async eventually(
    what: string,
    ask: () => Promise<ContractAnswer>,
    isSo: (answer: ContractAnswer) => boolean,
  ): Promise<ContractAnswer> {
    const end = performance.now() + patienceMs;
    for (;;) {
      const answer = await ask().catch(nothingIfCut);
      if (answer !== undefined && isSo(answer)) return answer;
      if (performance.now() > end) {
        throw new Error(`${what} did not become what the case waits for: ${JSON.stringify(answer?.body)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  /** Takes away what the case made outside of its namespace, and the namespace, unless that goes with the server. */
  async close({ keepNamespace = false }: { readonly keepNamespace?: boolean } = {}): Promise<void> {
    const kept = keepNamespace ? `/api/v1/namespaces/${this.namespace}` : undefined;
    for (const path of this.#made.toReversed()) if (path !== kept) await this.delete(path, undefined, { quiet: true });
    this.#wire.close();
  }

  /** As long as the storage of a new kind is being made, a real server asks to come again; that is no answer to compare. */
  async #send(
    method: string,
    path: string,
    { body, headers = {}, type = 'application/json', as }: RequestOptions & { readonly body?: unknown },
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
      const said = await bodyOf(answer);
      if (!said.includes('storage is (re)initializing')) return { ...answer, body: Readable.from([said]) };
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
    const wanted = [...comparedHeaders, ...(options.showHeaders ?? [])].flatMap((name) => {
      const value = given[name];
      return value === undefined || (name === 'content-type' && value === 'application/json')
        ? []
        : [[name, this.#normal.text(value)] as const];
    });
    return {
      request: this.#normal.text(request),
      status,
      ...(wanted.length > 0 && { headers: Object.fromEntries(wanted) }),
    };
  }

  /** What is made in the namespace of the case goes with it; anything else is taken away by name. */
  #remember(path: string, body: unknown): void {
    const { pathname } = new URL(path, 'https://server');
    if (path.includes(`/namespaces/${this.namespace}/`) || path.includes('dryRun=')) return;
    const name = (body as { metadata?: { name?: string } } | undefined)?.metadata?.name;
    if (name !== undefined) this.#made.push(`${pathname}/${name}`);
  }
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
    // Not every answer is JSON: pages of errors, metrics, logs.
    return text;
  }
}

/** A real server cuts the requests about a kind whose definition is exchanged at that moment. */
function nothingIfCut(error: unknown): undefined {
  if ((error as { readonly code?: unknown }).code !== 'ECONNRESET') throw error;
}
