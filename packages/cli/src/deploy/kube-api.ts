import type { Client, Connection } from '@kubewright/runtime';
import { Discovery } from '@kubewright/runtime';
import {
  CachedClient,
  fieldChanges,
  InformerCache,
  loadConnection,
  resourcePath,
  ServerTime,
  SilentLogger,
  Transport,
} from '@kubewright/runtime/internal';
import type { FieldChange } from '@kubewright/runtime';
import { builtInSchema } from '@kubewright/api/built-in';
import type { KubeObject } from '@kubewright/api';
import { SystemClock } from '@kubewright/api/clock';
import { kindRefOf } from '@kubewright/api/metadata';

/** The field manager of all writes of the CLI. */
export const FIELD_MANAGER = 'kubewright';

/** The options `--kubeconfig` and `--context`, which select a cluster. */
export interface ClusterChoice {
  /** The path or the text of a kubeconfig. @default KUBECONFIG, or ~/.kube/config */
  readonly kubeconfig?: string;
  /** The name of a context in the kubeconfig. @default the current context */
  readonly context?: string;
}

/** The options of a server-side apply. */
export interface ApplyOptions {
  /** Whether the server only validates the request, and does not persist the object. @default false */
  readonly dryRun?: boolean;
  /** Whether to take over fields from other field managers. @default false */
  readonly force?: boolean;
}

/** The result of a server-side apply. */
export interface AppliedObject {
  readonly object: KubeObject;
  readonly outcome: 'created' | 'changed' | 'unchanged';
  /** The changed fields with their old and new values; empty for a created object. */
  readonly changes: readonly FieldChange[];
}

/** The connection of a command to a cluster. The client reads from the server, not from a cache. */
export class KubeApi implements AsyncDisposable {
  readonly connection: Connection;
  readonly client: Client;
  readonly cache: InformerCache;
  readonly discovery: Discovery;
  readonly #transport: Transport;

  /** @param warn receives the warnings in responses of the server */
  constructor(connection: Connection, warn: (text: string) => void) {
    const clock = new SystemClock();
    const logger = new SilentLogger();
    const transport = new Transport(connection, { clock, logger, warnings: warn });
    const discovery = new Discovery(transport);
    const cache = new InformerCache({ transport, discovery, clock, logger });
    const backend = { transport, discovery, cache };
    this.connection = connection;
    this.client = new CachedClient({ backend, clock, logger, fieldManager: FIELD_MANAGER, reads: 'live' });
    this.cache = cache;
    this.discovery = discovery;
    this.#transport = transport;
  }

  /**
   * Creates a connection from the kubeconfig. Does not send requests to the server.
   * @throws KubewrightError INVALID_KUBECONFIG if the kubeconfig is invalid, or NO_CLUSTER if no kubeconfig exists
   */
  static async open(
    choice: ClusterChoice,
    using: { readonly env: NodeJS.ProcessEnv; readonly warn: (text: string) => void },
  ): Promise<KubeApi> {
    return new KubeApi(await loadConnection({ ...choice, env: using.env }), using.warn);
  }

  /** Reads the current object from the server; returns undefined if the object does not exist. */
  find(object: KubeObject): Promise<KubeObject | undefined> {
    return this.client.live.find(kindRefOf(object), object.metadata);
  }
  /** Applies the object with server-side apply, and returns the differences from the previous object. */
  async apply(object: KubeObject, { dryRun = false, force = false }: ApplyOptions = {}): Promise<AppliedObject> {
    const { apiVersion, kind, metadata } = object;
    const before = await this.find(object);
    const info = await this.discovery.resolve(kindRefOf(object));
    const { name, namespace } = metadata;
    const after = await this.#transport.request<KubeObject>({
      method: 'PATCH',
      path: resourcePath(info, { name, namespace }),
      query: { fieldManager: FIELD_MANAGER, force, dryRun: dryRun ? 'All' : undefined },
      body: object,
      contentType: 'application/apply-patch+yaml',
      attempted: `apply ${describeObject(object)}`,
    });
    if (before === undefined) return { object: after, outcome: 'created', changes: [] };
    const changes = fieldChanges(before, after, builtInSchema(apiVersion, kind));
    return { object: after, outcome: changes.length > 0 ? 'changed' : 'unchanged', changes };
  }
  /** Returns the time of the API server in milliseconds since 1970, with a resolution of one second. */
  async serverTimeMs(): Promise<number> {
    const time = new ServerTime(new SystemClock());
    await this.#transport.request<unknown>({
      method: 'GET',
      path: '/version',
      attempted: 'read the time of the API server',
      onHeaders: (headers) => time.note(headers),
    });
    return time.nowMs();
  }
  /** Stops all watches and aborts all requests. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.cache.close();
    await this.#transport.close();
  }
}

/** Describes an object: 'Deployment my-system/my-controller-manager'. */
export function describeObject({ kind, metadata: { name, namespace } }: KubeObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
