import { admissionPlugins } from '../admission/admission-plugins.js';
import { Controllers } from '../controllers/controllers.js';
import { serverAudiences } from '../authentication/service-account-tokens.js';
import { discoveredGroups } from '../handlers/discovery/discovery.js';
import { EventEncoder } from '../handlers/watch/event-encoder.js';
import { FaultGate } from '../handlers/fault-gate.js';
import { OpenApi } from '../handlers/open-api/open-api.js';
import { ProtobufBodies } from '../handlers/protobuf/protobuf-body.js';
import { Router } from '../handlers/router.js';
import { VersionWaits } from '../handlers/watch/version-waits.js';
import { WatchHub } from '../handlers/watch/watch-hub.js';
import { bootstrap } from '../registry/bootstrap.js';
import { Registry } from '../registry/registry.js';
import { DataFolder } from '../storage/data-folder.js';
import { administrator } from '../registry/user.js';
import { Store } from '../storage/store.js';
import { type ApiServerOptions, type ResolvedApiServerOptions, resolveApiServerOptions } from './api-server-options.js';
import type { ServingCertificate } from './certificates.js';
import type { ClientCertificate, ClientCertificateSubject } from './client-authority.js';
import { ClientCertificates } from './client-certificates.js';
import { type KubeconfigCredentials, kubeconfigText, writePrivateFile } from './kubeconfig.js';
import { Listener } from './listener.js';
import { RequestHandler } from './request-handler.js';
import { ServerAccess } from './server-access.js';
import { keptIdentity, newIdentity, type ServerIdentity } from './server-identity.js';

/** How long a start waits for controllers, in turns of the event loop; a few do, unless there is much in the folder. */
const settlingTurns = 20;

/** Whose token is asked for, and how long it is valid: an hour unless said otherwise. */
export interface ServiceAccountTokenOptions {
  readonly namespace: string;
  readonly name: string;
  readonly expirationSeconds?: number;
}

/**
 * A Kubernetes API server in this process: real HTTPS, real semantics, everything in memory, and in a folder where `data`
 * names one. Make one with `start`; it serves until `stop`, which frees port and folder and ends every connection.
 */
export class ApiServer implements AsyncDisposable {
  /** The certificate authority to check the server against, as PEM. */
  readonly certificateAuthority: string;
  /** The administrator's bearer token. */
  readonly token: string;
  readonly store: Store;
  readonly registry: Registry;
  readonly #options: ResolvedApiServerOptions;
  readonly #data: DataFolder | undefined;
  readonly #certificate: ServingCertificate;
  readonly #access: ServerAccess;
  readonly #controllers: Controllers;
  readonly #watches = new WatchHub(() => this.#active());
  readonly #waits: VersionWaits;
  readonly #requests: RequestHandler;
  readonly #listeners = new Set<() => void>();
  readonly #openApi: OpenApi;
  #listener: Listener | undefined;
  #port = 0;
  #stopping: Promise<void> | undefined;

  private constructor(
    options: ResolvedApiServerOptions,
    { identity, data }: { readonly identity: ServerIdentity; readonly data: DataFolder | undefined },
  ) {
    this.#options = options;
    this.#data = data;
    this.token = identity.token;
    this.#certificate = identity.certificate;
    this.certificateAuthority = identity.certificate.certificateAuthority;
    const { clock, eventLogSize, storageQuotaBytes, faults, tokens, workloads } = options;
    this.store = data?.store ?? new Store({ eventLogSize, storageQuotaBytes });
    this.#access = new ServerAccess({
      store: this.store,
      clock,
      keys: identity.keys,
      tokens: { ...tokens, [identity.token]: administrator },
    });
    const { authorizer, authenticator, accountTokens, clientAuthority } = this.#access;
    this.registry = new Registry({ store: this.store, clock, ...admissionPlugins(authorizer) });
    this.#controllers = new Controllers(this.registry, {
      workloads,
      trust: { certificateAuthority: this.certificateAuthority, tokens: accountTokens },
    });
    this.#waits = new VersionWaits(this.store, clock, () => this.#active());
    this.#openApi = new OpenApi(() => discoveredGroups(this.registry));
    const { store, registry } = this;
    const serving = {
      store,
      registry,
      clock,
      authorizer,
      authenticator,
      accountTokens,
      faults: new FaultGate(faults),
      watches: this.#watches,
      waits: this.#waits,
      encoder: new EventEncoder(),
      protobuf: new ProtobufBodies(),
      address: () => `${options.host}:${this.#port}`,
    };
    const active = (): void => this.#active();
    this.#requests = new RequestHandler(new Router(serving, this.#openApi), {
      authenticator,
      certificates: new ClientCertificates(clientAuthority),
      durable: () => this.store.durable(),
      onDone: active,
    });
    this.registry.onChange(() => this.#openApi.invalidate());
    this.#controllers.onActivity(active);
    this.store.onCommit(active);
  }

  /**
   * Starts a server with the objects of a new cluster, or those of its folder. Rejects with PORT_IN_USE when the port is
   * taken, INVALID_OPTION for options that cannot be, DATA_LOCKED, DATA_CORRUPT or DATA_UNUSABLE when the folder cannot be.
   */
  static async start(options: ApiServerOptions = {}): Promise<ApiServer> {
    const resolved = resolveApiServerOptions(options);
    if (resolved.data === undefined) {
      const server = new ApiServer(resolved, { identity: await newIdentity(resolved), data: undefined });
      await server.#start();
      return server;
    }
    const { data: path, eventLogSize, storageQuotaBytes, onWarning } = resolved;
    const data = DataFolder.open({ path, eventLogSize, storageQuotaBytes, onWarning });
    try {
      const server = new ApiServer(resolved, { identity: await keptIdentity(path, resolved), data });
      await server.#start();
      return server;
    } catch (error) {
      await data.close();
      throw error;
    }
  }

  get port(): number {
    return this.#port;
  }

  /** Where the server is, such as https://127.0.0.1:34567. */
  get url(): string {
    const { host } = this.#options;
    return `https://${host.includes(':') ? `[${host}]` : host}:${this.#port}`;
  }

  /** The version of the last write. */
  get resourceVersion(): string {
    return this.store.resourceVersion;
  }

  /** The text of a kubeconfig, for the administrator or for whoever has these credentials. */
  kubeconfig(credentials: KubeconfigCredentials = { token: this.token }): string {
    const { url: server, certificateAuthority } = this;
    return kubeconfigText({ server, certificateAuthority, credentials });
  }

  /**
   * A token of a ServiceAccount, which may do what its roles allow. It expires, and ends with its account. Throws 404 when
   * there is no such account.
   */
  serviceAccountToken({ namespace, name, expirationSeconds = 3600 }: ServiceAccountTokenOptions): string {
    const account = this.registry.builtIn('/v1/serviceaccounts').get({ namespace, name });
    return this.#access.accountTokens.issue({ account, audiences: serverAudiences, expirationSeconds });
  }

  /** A client certificate for a user of any name and groups, signed by the server. */
  clientCertificate(subject: ClientCertificateSubject): Promise<ClientCertificate> {
    return this.#access.clientAuthority.issue(subject);
  }

  /** Writes the kubeconfig so that only the owner of the file can read it. */
  async writeKubeconfig(path: string): Promise<void> {
    await writePrivateFile(path, this.kubeconfig());
  }

  /** What the server has left to do by itself, by name: work of its controllers, and requests that it is answering. */
  pending(): readonly string[] {
    // What waits for a write that is still to come is not the server's to do.
    const open = this.#requests.open - this.#waits.retrying;
    return [...this.#controllers.pending(), ...(open === 0 ? [] : [`requests (${open})`])];
  }

  /** Calls the listener after each write, each answer, each start of a watch and each step of a controller. Returns what ends it. */
  onActivity(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells every watch that allows bookmarks the version of the store, as happens by itself once a minute. */
  sendBookmarks(): void {
    this.#watches.bookmark();
  }

  /** Breaks every connection and goes on serving, as a network does that fails for a moment. */
  cutConnections(): void {
    this.#listener?.cutConnections();
  }

  /** Ends controllers, watches and connections, and frees the port. Further calls wait for the first. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #start(): Promise<void> {
    bootstrap(this.registry);
    await this.store.durable();
    const { host, port } = this.#options;
    this.#listener = await Listener.open({
      host,
      port,
      certificate: this.#certificate,
      onRequest: (request, response) => void this.#requests.handle(request, response),
    });
    this.#port = this.#listener.port;
    this.#controllers.start();
    await this.#settle();
  }

  /** Lets the controllers give every namespace what it has in a cluster, so that it is there before anybody asks. */
  async #settle(): Promise<void> {
    for (let turn = 0; turn < settlingTurns && this.#controllers.pending().length > 0; turn += 1) {
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    await this.store.durable();
  }

  async #stop(): Promise<void> {
    this.#controllers.stop();
    this.#waits.stop();
    await this.#listener?.close();
    await this.#data?.close();
  }

  #active(): void {
    for (const listener of this.#listeners) listener();
  }
}
