import { creationsOf, definitionsOf, namespacesOf, type RecordedRequest } from './corpus.js';
import { type FuzzAnswer, FuzzedServer } from './fuzzed-server.js';
import type { FuzzRequest } from './mutate-request.js';

const json = 'application/json';

/** A request that creates an object, with the paths of the object and of its collection. */
interface Creation {
  readonly request: RecordedRequest;
  readonly paths: readonly string[];
}

/** A server with the namespaces, the custom kinds and the objects of the corpus. `restoreAfter` recreates deleted objects. */
export class PreparedServer implements AsyncDisposable {
  readonly #server: FuzzedServer;
  readonly #creations: Creation[] = [];

  private constructor(server: FuzzedServer) {
    this.#server = server;
  }

  static async start(corpus: readonly RecordedRequest[]): Promise<PreparedServer> {
    const prepared = new PreparedServer(await FuzzedServer.start());
    for (const name of namespacesOf(corpus)) {
      await prepared.#repeat({
        method: 'POST',
        path: '/api/v1/namespaces',
        body: JSON.stringify({ metadata: { name } }),
      });
    }
    for (const request of definitionsOf(corpus)) await prepared.#repeat(request);
    for (const request of creationsOf(corpus)) {
      const answer = await prepared.#repeat(request);
      if (answer?.status === 201) prepared.#creations.push({ request, paths: pathsOf(request, answer.body) });
    }
    return prepared;
  }

  /** Describes how the process ended. Undefined while the process runs. */
  get end(): string | undefined {
    return this.#server.end;
  }

  /** Sends a request. Resolves with undefined if the connection broke, or if no response arrived within a minute. */
  send(request: FuzzRequest): Promise<FuzzAnswer | undefined> {
    return this.#server.send(request);
  }

  /** Recreates the objects that the request may have deleted, so that later requests find them. */
  async restoreAfter({ method, path }: FuzzRequest): Promise<void> {
    if (method !== 'DELETE') return;
    const [deleted = ''] = path.split('?');
    for (const { request, paths } of this.#creations) if (paths.includes(deleted)) await this.#repeat(request);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server[Symbol.asyncDispose]();
  }

  #repeat({ method, path, type = json, body }: RecordedRequest): Promise<FuzzAnswer | undefined> {
    return this.#server.send({
      method,
      path,
      headers: { 'content-type': type },
      ...(body === undefined ? {} : { body }),
    });
  }
}

function pathsOf({ method, path }: RecordedRequest, created: string): readonly string[] {
  const [plain = ''] = path.split('?');
  if (method === 'PATCH') return [plain, plain.slice(0, plain.lastIndexOf('/'))];
  const { metadata } = JSON.parse(created) as { readonly metadata?: { readonly name?: string } };
  return [plain, `${plain}/${metadata?.name ?? ''}`];
}
