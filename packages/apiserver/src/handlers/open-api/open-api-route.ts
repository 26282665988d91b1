import { isJson, mediaTypes } from '../answers/accept.js';
import type { Answer } from '../answers/answer.js';
import type { ApiRequest } from '../api-request.js';
import type { JsonDocument } from './json-document.js';
import type { OpenApi, OpenApiSource } from './open-api.js';

const year = 365 * 24 * 60 * 60 * 1000;
const protobuf = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

/** Answers /openapi/v2, /openapi/v3 and the paths below /openapi/v3. The first request loads the code that builds the documents. */
export class OpenApiRoute {
  readonly #registry: OpenApiSource;
  #openApi: OpenApi | undefined;

  constructor(registry: OpenApiSource) {
    this.#registry = registry;
  }

  /** Discards the documents of groups whose resources have changed. */
  invalidate(): void {
    this.#openApi?.invalidate();
  }

  /** Returns undefined for other paths. */
  async answer(request: ApiRequest, now: Date): Promise<Answer | undefined> {
    const { path } = request;
    if (path === '/openapi/v2') return version2(await this.#loaded(), request);
    if (path === '/openapi/v3') return answer(200, await (await this.#loaded()).index());
    if (!path.startsWith('/openapi/v3/')) return undefined;
    const document = await (await this.#loaded()).document(path.slice('/openapi/v3/'.length));
    if (document === undefined) return answer(404);
    const acceptsJson = mediaTypes(request.headers['accept']).some(({ type }) => isJson(type));
    return acceptsJson ? version3(request, document, now) : answer(406, '', { vary: 'Accept' });
  }

  async #loaded(): Promise<OpenApi> {
    if (this.#openApi !== undefined) return this.#openApi;
    const { OpenApi: Loaded } = await import('./open-api.js');
    this.#openApi ??= new Loaded(this.#registry);
    return this.#openApi;
  }
}

/**
 * Answers with an OpenAPI 3 document. If the URL contains the current hash, clients can cache the document for a year. If the URL contains
 * another hash, the response redirects to the URL with the current hash.
 */
function version3({ path, query, headers: requested }: ApiRequest, { text, hash }: JsonDocument, now: Date): Answer {
  const headers = { 'content-type': 'application/json', etag: `"${hash}"`, vary: 'Accept' };
  const desired = query.get('hash');
  if (desired !== null && desired !== '' && desired !== hash) {
    return answer(301, '', { ...headers, location: `${path}?hash=${hash}` });
  }
  const kept = {
    'cache-control': 'public, immutable',
    expires: new Date(now.getTime() + year).toUTCString().replace('GMT', 'UTC'),
  };
  const all = desired ? { ...headers, ...kept } : headers;
  return isKnown(requested['if-none-match'], headers.etag) ? answer(304, '', all) : answer(200, text, all);
}

async function version2(openApi: OpenApi, request: ApiRequest): Promise<Answer> {
  const accepted = mediaTypes(request.headers['accept']);
  const form = accepted.find(({ type }) => type === protobuf || isJson(type))?.type;
  const headers = { vary: 'Accept' };
  if (form === undefined) return answer(406, '', headers);
  const document = await openApi.version2();
  const etag = `"${document.hash}"`;
  if (isKnown(request.headers['if-none-match'], etag)) return answer(304, '', { ...headers, etag });
  const asProtobuf = form === protobuf;
  return answer(200, asProtobuf ? await openApi.protobuf() : document.text, {
    ...headers,
    etag,
    'content-type': asProtobuf ? protobuf.replace('@', '.') : 'application/json',
  });
}

/** Returns whether the client already has the document with this ETag. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}

function answer(
  status: number,
  content: string | Uint8Array = '',
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { kind: 'text', status, text: content, headers };
}
