import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { WebhookClientConfig } from '@kubewright/api/admissionregistration/v1';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import {
  type Client,
  ignoreNotFound,
  InMemoryCertificates,
  type Logger,
  type Manager,
  type RequestHandler,
  type WebhookEndpoint,
  WebhookServer,
} from '@kubewright/runtime';
import {
  answerProbe,
  PROBE_PATH,
  probeWebhook,
  sendProbe,
  webhookConfigurations,
  type WebhookConfigurations,
} from '@kubewright/runtime/internal';
import type { WebhookConfiguration } from '../installed-manifests.js';

/** The dependencies of `RegisteredWebhooks`. */
export interface RegisteredWebhooksUsing {
  /** A client with all permissions. */
  readonly client: Client;
  /** A clock that advances by itself. */
  readonly clock: Clock;
  readonly logger: Logger;
  /** The name of the webhook configurations, which is unique on the server. */
  readonly name: string;
  /** The configurations to register. @default the configurations that result from the declarations */
  readonly configurations?: readonly WebhookConfiguration[] | undefined;
  /** Returns the manager whose webhooks are registered. */
  readonly manager: () => Manager;
}

/** The objects that a registration has written. */
interface Registered {
  readonly configurations: readonly WebhookConfiguration[];
  readonly conversions: WebhookConfigurations['conversions'];
}

const HOST = '127.0.0.1';
const TIME_LIMIT_MS = 30_000;
const RETRY = '25ms';

/**
 * The webhook server of a manager in a test environment. When the server listens, registers the webhooks on the API server by URL, before
 * the caches of the manager start. When the server stops, removes the registration.
 */
export class RegisteredWebhooks implements WebhookEndpoint {
  readonly #using: RegisteredWebhooksUsing;
  readonly #certificates = new InMemoryCertificates([HOST]);
  #server: WebhookServer | undefined;
  #registered: Registered | undefined;
  /** Resolves when the last registration is complete. */
  #registering: Promise<void> = Promise.resolve();
  #pending = 0;
  /** The number of configurations that were written. */
  #writes = 0;

  constructor(using: RegisteredWebhooksUsing) {
    this.#using = using;
  }

  get address(): { readonly host: string; readonly port: number } | undefined {
    return this.#server?.address;
  }
  /** Whether the server is starting, or webhooks that were added while the manager runs are not registered yet. */
  get isPending(): boolean {
    return this.#pending > 0;
  }

  /** Serves a webhook. If the server listens, registers the webhook, too. */
  handle(path: string, handler: RequestHandler): void {
    this.#ownServer.handle(path, handler);
    if (this.address !== undefined) this.#registerLater();
  }
  /** Starts to listen. Resolves when the API server calls the webhooks. Rejects with NOT_REGISTERED after 30 s. */
  async listen(): Promise<void> {
    this.#pending++;
    try {
      this.#ownServer.handle(PROBE_PATH, answerProbe);
      await this.#ownServer.listen();
      await this.#register();
    } finally {
      this.#pending--;
    }
  }
  check(): Promise<string | undefined> {
    return this.#ownServer.check();
  }
  /** Removes the registration, and closes the server. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#registering;
    await this.#unregister();
    await this.#server?.[Symbol.asyncDispose]();
  }

  get #ownServer(): WebhookServer {
    const { clock, logger, manager } = this.#using;
    this.#server ??= new WebhookServer(
      { host: HOST, port: 0, certificates: this.#certificates },
      { clock, logger, metrics: manager().metrics },
    );
    return this.#server;
  }

  #registerLater(): void {
    this.#pending++;
    // Runs after all handlers of the added class are known.
    this.#registering = this.#registering
      .then(() => this.#register())
      .catch((error: unknown) => this.#using.logger.error('cannot register webhooks', { error }))
      .finally(() => {
        this.#pending--;
      });
  }
  async #register(): Promise<void> {
    const { manager, client, name, configurations: given } = this.#using;
    const { webhooks } = manager().describe();
    if (webhooks === undefined) return;
    const caBundle = Buffer.from(this.#certificates.caBundle).toString('base64');
    const clientConfig = (path: string) => ({ url: `https://${HOST}:${this.address?.port}${path}`, caBundle });
    const declared = webhookConfigurations(webhooks, clientConfig, { mutating: name, validating: name });
    const { conversions } = declared;
    const configurations =
      given?.map((each, index) => locallyServed(each, `${name}-${index}`, clientConfig)) ?? admissionOf(declared);
    this.#registered = { configurations, conversions };
    for (const { definition, conversion } of conversions) {
      await client.patch(definitionNamed(definition), { merge: { spec: { conversion } } });
    }
    for (const configuration of configurations) await this.#apply(configuration, clientConfig(PROBE_PATH));
  }
  /** Writes a configuration with one more webhook, and waits until the API server calls that webhook. */
  async #apply(
    configuration: WebhookConfiguration,
    clientConfig: { readonly url: string; readonly caBundle: string },
  ): Promise<void> {
    // Uses a new label for each write, so that the previous configuration does not reject the probe.
    const label = `${configuration.kind}-${++this.#writes}`;
    const probe = probeWebhook({ label }, clientConfig);
    const webhooks = [...(configuration.webhooks ?? []), probe];
    await this.#using.client.apply({ ...configuration, webhooks }, { force: true });
    await this.#untilCalled(label);
  }
  async #untilCalled(label: string): Promise<void> {
    const { client, clock } = this.#using;
    const end = clock.monotonicMs() + TIME_LIMIT_MS;
    // Ignores failed calls, because a call can also fail until the API server uses the configuration.
    while ((await sendProbe(client, { label, namespace: 'default' })).type !== 'called') {
      if (clock.monotonicMs() >= end) {
        throw new KubewrightError(
          'NOT_REGISTERED',
          `the API server does not call the webhooks of a manager after ${TIME_LIMIT_MS / 1000} s`,
        );
      }
      await clock.sleep(RETRY);
    }
  }
  async #unregister(): Promise<void> {
    const { configurations = [], conversions = [] } = this.#registered ?? {};
    const { client, logger } = this.#using;
    this.#registered = undefined;
    try {
      for (const configuration of configurations) await ignoreNotFound(client.delete(configuration));
      for (const { definition } of conversions) {
        const merge = { spec: { conversion: { strategy: 'None', webhook: null } } };
        await ignoreNotFound(client.patch(definitionNamed(definition), { merge }));
      }
    } catch (error) {
      logger.warn('cannot remove the registration of webhooks', { error: messageOf(error) });
    }
  }
}

function admissionOf({ mutating, validating }: WebhookConfigurations): readonly WebhookConfiguration[] {
  return [mutating, validating].filter((each) => each !== undefined);
}
/** Returns a copy of a configuration from a manifest, in which the local webhook server replaces each Service. */
function locallyServed(
  configuration: WebhookConfiguration,
  name: string,
  clientConfigOf: (path: string) => WebhookClientConfig,
): WebhookConfiguration {
  const webhooks = (configuration.webhooks ?? []).map((webhook) => {
    const { service } = webhook.clientConfig;
    return service === undefined ? webhook : { ...webhook, clientConfig: clientConfigOf(service.path ?? '/') };
  });
  return { ...configuration, metadata: { ...configuration.metadata, name }, webhooks };
}
/** Returns a reference to a CustomResourceDefinition, for a patch. */
function definitionNamed(name: string): CustomResourceDefinition {
  return new CustomResourceDefinition({ metadata: { name }, spec: {} as never });
}
