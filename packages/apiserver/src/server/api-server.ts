import type { Clock } from '@kubewright/api/clock';
import { admissionPlugins } from '../admission/admission-plugins.js';
import { Controllers } from '../controllers/controllers.js';
import { SimulatedPods } from '../controllers/simulation/simulated-pods.js';
import { serverAudiences } from '../authentication/service-account-tokens.js';
import { ItemTexts } from '../handlers/answers/item-texts.js';
import { EventEncoder } from '../handlers/watch/event-encoder.js';
import { ClockWaits } from '../handlers/clock-waits.js';
import { FaultGate } from '../handlers/faults/fault-gate.js';
import type { ServerMetrics } from '../handlers/metrics/server-metrics.js';
import { OpenApiRoute } from '../handlers/open-api/open-api-route.js';
import { ProtobufBodies } from '../handlers/protobuf/protobuf-body.js';
import { ProtobufWriter } from '../handlers/protobuf/protobuf-writer.js';
import { Router } from '../handlers/router.js';
import { VersionWaits } from '../handlers/watch/version-waits.js';
import { WatchHub } from '../handlers/watch/watch-hub.js';
import { bootstrap } from '../registry/bootstrap.js';
import { clusterDataOf } from '../registry/cluster-data/cluster-data.js';
import { Registry } from '../registry/registry.js';
import { DataFolder } from '../storage/data-folder.js';
import { administrator } from '../registry/requests/user.js';
import { Store } from '../storage/store.js';
import { type ApiServerOptions, type ResolvedApiServerOptions, resolveApiServerOptions } from './api-server-options.js';
import type { ServingCertificate } from './certificates/certificates.js';
import type { ClientCertificate, ClientCertificateSubject } from './certificates/client-authority.js';
import { ClientCertificates } from './client-certificates.js';
import { type KubeconfigCredentials, kubeconfigText, writePrivateFile } from './kubeconfig.js';
import { HttpExchange } from './http-exchange.js';
import { InProcessListener } from './in-process-listener.js';
import type { InProcessCall, InProcessRequest } from './in-process-request.js';
import { Listener } from './listener.js';
import { RequestHandler } from './request-handler.js';
import { ServerAccess } from './server-access.js';
import { publishClusterAuthentication } from './cluster-authentication.js';
import { publishServerEndpoints } from './server-endpoints.js';
import { persistedIdentity, newIdentity, type ServerIdentity } from './certificates/server-identity.js';

/**
 * The maximum number of event loop turns that `start` waits for the controllers. Usually a few turns are enough. A data folder with many
 * objects can require more turns.
 */
const settlingTurns = 20;

/**
 * The options of `ApiServer.serviceAccountToken`: the ServiceAccount, and the lifetime of the token in seconds. The default lifetime is
 * 3600 s.
 */
export interface ServiceAccountTokenOptions {
  readonly namespace: string;
  readonly name: string;
  readonly expirationSeconds?: number;
}

/**
 * A Kubernetes API server in this process, with HTTPS and the semantics of a kube-apiserver. The server keeps its state in memory. If the
 * option `data` is set, the server also stores the state in that folder. `start` creates a server. The server runs until `stop`, which
 * closes all connections and frees the port and the folder.
 */
export class ApiServer implements AsyncDisposable {
  /** The certificate authority of the serving certificate, as PEM. */
  readonly certificateAuthority: string;
  /** The administrator's bearer token. */
  readonly token: string;
  readonly store: Store;
  readonly registry: Registry;
  /** States what the Pods of the option `workloads` do. */
  readonly pods: SimulatedPods;
  readonly #options: ResolvedApiServerOptions;
  readonly #data: DataFolder | undefined;
  readonly #certificate: ServingCertificate;
  readonly #access: ServerAccess;
  readonly #controllers: Controllers;
  readonly #watches = new WatchHub(() => this.#active());
  readonly #waits: VersionWaits;
  readonly #clockWaits = new ClockWaits(() => this.#active());
  readonly #requests: RequestHandler;
  readonly #certificates: ClientCertificates;
  readonly #inProcess: InProcessListener;
  readonly #listeners = new Set<() => void>();
  readonly #openApi: OpenApiRoute;
  #metrics: Promise<ServerMetrics> | undefined;
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
    const { clock, eventLogSize, storageQuotaBytes, faults, tokens, workloads, clientCertificateAuthorities } = options;
    const { kubernetes } = options;
    this.store = data?.store ?? new Store({ eventLogSize, storageQuotaBytes });
    this.#access = new ServerAccess({
      store: this.store,
      data: clusterDataOf(kubernetes),
      clock,
      keys: identity.keys,
      tokens: { ...tokens, [identity.token]: administrator },
      clientAuthorities: clientCertificateAuthorities,
    });
    const { authorizer, authenticator, accountTokens, clientAuthority } = this.#access;
    this.registry = new Registry({ store: this.store, clock, kubernetes, ...admissionPlugins(authorizer) });
    this.pods = new SimulatedPods(options.nodes);
    for (const { selector = {}, behaviour } of options.podBehaviours) this.pods.behave(selector, behaviour);
    this.#controllers = new Controllers(this.registry, {
      workloads,
      simulated: this.pods,
      trust: {
        certificateAuthority: this.certificateAuthority,
        tokens: accountTokens,
        allows: (attributes) => authorizer.allows(attributes),
        sign: (certificate) => clientAuthority.sign(certificate),
      },
    });
    this.#waits = new VersionWaits(this.store, clock, () => this.#active());
    this.#openApi = new OpenApiRoute(this.registry);
    const { store, registry } = this;
    const protobufWriter = new ProtobufWriter(registry.data);
    const serving = {
      store,
      registry,
      clock,
      simulated: this.pods,
      authorizer,
      authenticator,
      accountTokens,
      faults: new FaultGate(faults),
      metrics: () => (this.#metrics ??= loadMetrics(registry, clock)),
      watches: this.#watches,
      waits: this.#waits,
      clockWaits: this.#clockWaits,
      events: {
        json: new EventEncoder(),
        protobuf: new EventEncoder((type, object) => protobufWriter.event(type, object)),
      },
      itemTexts: new ItemTexts(),
      protobuf: new ProtobufBodies(),
      protobufWriter,
      address: () => `${options.host}:${this.#port}`,
    };
    const active = (): void => this.#active();
    this.#requests = new RequestHandler(new Router(serving, this.#openApi), {
      authenticator,
      durable: () => this.store.durable(),
      onDone: active,
      clock: options.clock,
      protobuf: protobufWriter,
    });
    this.#certificates = new ClientCertificates(clientAuthority);
    this.#inProcess = new InProcessListener({
      certificates: this.#certificates,
      onRequest: (exchange) => void this.#requests.handle(exchange),
    });
    this.registry.onChange(() => this.#openApi.invalidate());
    this.#controllers.onActivity(active);
    this.store.onCommit(active);
  }

  /**
   * Starts a server with the objects of a new cluster, or with the objects in the folder of the `data` option. Rejects with INVALID_OPTION
   * for invalid options, INVALID_VERSION for an unsupported Kubernetes version, PORT_IN_USE if the port is in use, and CANNOT_LISTEN if the
   * server cannot listen for another reason. If the folder is not usable, rejects with DATA_LOCKED, DATA_CORRUPT or DATA_UNUSABLE.
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
      const server = new ApiServer(resolved, { identity: await persistedIdentity(path, resolved), data });
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

  /** The URL of the server, such as https://127.0.0.1:34567. */
  get url(): string {
    const { host } = this.#options;
    return `https://${host.includes(':') ? `[${host}]` : host}:${this.#port}`;
  }

  /** The resourceVersion of the last write. */
  get resourceVersion(): string {
    return this.store.resourceVersion;
  }

  /** Returns the text of a kubeconfig for the given credentials. By default, the kubeconfig has the administrator's token. */
  kubeconfig(credentials: KubeconfigCredentials = { token: this.token }): string {
    const { url: server, certificateAuthority } = this;
    return kubeconfigText({ server, certificateAuthority, credentials });
  }

  /**
   * Returns a token of a ServiceAccount. The token has the permissions of the account, and is valid until it expires or the account is
   * deleted. Throws 404 if the account does not exist.
   */
  serviceAccountToken({ namespace, name, expirationSeconds = 3600 }: ServiceAccountTokenOptions): string {
    const account = this.registry.builtIn('/v1/serviceaccounts').get({ namespace, name });
    return this.#access.accountTokens.issue({ account, audiences: serverAudiences, expirationSeconds });
  }

  /** Issues a client certificate that the server signs, for a user with any name and groups. */
  async clientCertificate(subject: ClientCertificateSubject): Promise<ClientCertificate> {
    return this.#access.clientAuthority.issue(subject);
  }

  /** Writes the kubeconfig to a file that only the owner can read. */
  async writeKubeconfig(path: string): Promise<void> {
    await writePrivateFile(path, this.kubeconfig());
  }

  /**
   * Returns descriptions of the unfinished work: the pending work of controllers, and the number of requests in progress. Returns an empty
   * list if the server is idle.
   * @param options with `timers: false`, omits the work that waits for a timer of the clock: requests with a planned delay, and failed keys
   * that a controller retries later
   */
  pending({ timers = true }: { readonly timers?: boolean } = {}): readonly string[] {
    // A request that waits for a later resourceVersion cannot finish before another client writes, so the request is not unfinished work.
    const open = this.#requests.open - this.#waits.retrying - (timers ? 0 : this.#clockWaits.delayedRequests);
    return [...this.#controllers.pending({ timers }), ...(open === 0 ? [] : [`requests (${open})`])];
  }

  /**
   * The `Audit-ID` headers of the requests and watches whose next step waits for a timer of the clock: requests and watches with a planned
   * delay, and requests for a version that the store has not reached.
   */
  get waiting(): ReadonlySet<string> {
    return this.#clockWaits.ids;
  }

  /**
   * Calls the listener after each write, each response, each start of a watch, and each turn of the event loop in which controllers run.
   * Also calls the listener when a request or a watch starts or ends a planned delay or a wait for a resourceVersion. Returns a function
   * that removes the listener.
   */
  onActivity(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Starts a request of a client in this process, without a connection. The server handles the request as any other request. The client
   * must read the whole body of the response, or close the call.
   */
  request(request: InProcessRequest): InProcessCall {
    return this.#inProcess.open(request);
  }

  /**
   * Sends a bookmark with the current version to each watch that allows bookmarks and has not received this version. The server also sends
   * bookmarks once a minute.
   */
  sendBookmarks(): void {
    this.#watches.bookmark();
  }

  /** Breaks all connections and continues to serve, like a short network failure. */
  cutConnections(): void {
    this.#listener?.cutConnections();
    this.#inProcess.cutConnections();
  }

  /** Stops controllers, watches and connections, and frees the port and the folder. Further calls wait for the first call. */
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
      onRequest: (request, response, socket) =>
        void this.#requests.handle(new HttpExchange(request, response, this.#certificates, socket)),
    });
    this.#port = this.#listener.port;
    publishServerEndpoints(this.registry, { host, port: this.#port });
    publishClusterAuthentication(this.registry, this.#access.clientAuthority.certificateAuthorities());
    this.#controllers.start();
    await this.#settle();
  }

  /** Waits for the controllers to create the default objects of each namespace, so that these objects exist before the first request. */
  async #settle(): Promise<void> {
    for (let turn = 0; turn < settlingTurns && this.#controllers.pending().length > 0; turn += 1) {
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    await this.store.durable();
  }

  async #stop(): Promise<void> {
    this.#controllers.stop();
    this.#waits.stop();
    this.registry.close();
    this.#inProcess.close();
    await this.#listener?.close();
    await this.#data?.close();
  }

  #active(): void {
    for (const listener of this.#listeners) listener();
  }
}

async function loadMetrics(registry: Registry, clock: Clock): Promise<ServerMetrics> {
  const { ServerMetrics } = await import('../handlers/metrics/server-metrics.js');
  return new ServerMetrics(registry, clock);
}
