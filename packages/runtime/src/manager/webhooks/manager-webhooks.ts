import type { Authenticator, Converter, KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { append } from '@kubewright/api/json';
import type { AdmissionRecord, AuthenticatorRecord } from '@kubewright/api/metadata';
import type { Logger } from '../../log/logger.js';
import type { Metrics } from '../../metrics/metrics.js';
import type { DescribedAdmissionWebhook, DescribedWebhooks } from '../../rbac/described-webhooks.js';
import type { CertificateObjects } from '../../rbac/certificate-permissions.js';
import { webhookNames } from '../../rbac/webhook-names.js';
import type { ServedEndpoint } from '../../serving/served-endpoint.js';
import type { Transport } from '../../transport/sending/transport.js';
import type { AdmissionHandler } from '../../webhook/admission-call.js';
import { admissionEndpoint } from '../../webhook/admission-endpoint.js';
import { tokenReviewEndpoint } from '../../webhook/token-review-endpoint.js';
import { conversionEndpoint } from '../../webhook/conversion/conversion-endpoint.js';
import {
  CONVERSION_PATH,
  ConversionGraph,
  type DeclaredConverter,
  type ServedConverter,
} from '../../webhook/conversion/conversion-graph.js';
import { describedAdmission } from '../../webhook/described-admission.js';
import { type WebhookEndpoint, webhookPort, WebhookServer } from '../../webhook/webhook-server.js';
import { type AddedWebhook, admissionMethods } from '../components/added-webhook.js';
import { placedEndpoint } from '../components/placement.js';
import type { ManagerHealth } from '../endpoints/manager-health.js';
import type { Placed } from '../lifecycle/runnable-groups.js';
import { certificatesOf } from './certificate-source.js';
import { sourceOf, type WebhooksOptions } from './webhooks-options.js';

/** The objects that the webhooks of a manager use. */
export interface ManagerWebhooksUsing {
  /** The options of the server. False if webhooks are not served. */
  readonly options: WebhooksOptions | false;
  /** The options that the server would have in a Pod. False if webhooks are disabled. */
  readonly deployed: WebhooksOptions | false;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: ManagerHealth;
  /** Returns the transport to the API server. */
  readonly transport: () => Promise<Transport>;
}

type InjectedObjects = Omit<CertificateObjects, 'secret'>;

/** A declared admission webhook: the description, and the class or the object that declares it. */
interface Declared {
  readonly added: AddedWebhook;
  readonly record: AdmissionRecord;
  readonly webhook: DescribedAdmissionWebhook;
}

/** The path and the name that a webhook uses. Authentication webhooks have no name in a configuration. */
interface Claim {
  /** The class or the call of the manager that declares the webhook. */
  readonly owner: string;
  readonly path: string;
  readonly name?: string;
  readonly type?: DescribedAdmissionWebhook['type'];
}
const AUTHENTICATION_PATH = '/authenticate';

/** The webhooks of a manager, and the server that serves them. The server is created when the first webhook is served. */
export class ManagerWebhooks {
  readonly #using: ManagerWebhooksUsing;
  readonly #declared: Declared[] = [];
  readonly #claims: Claim[] = [];
  readonly #declaredConverters: DeclaredConverter[] = [];
  readonly #converters: ServedConverter[] = [];
  #graphs: ReadonlyMap<string, ConversionGraph> = new Map();
  #options: WebhooksOptions | false;
  #server: WebhookEndpoint | undefined;
  #servesConversions = false;
  #isStarted = false;
  #isReported = false;

  constructor(using: ManagerWebhooksUsing) {
    this.#using = using;
    this.#options = using.options;
  }

  /** The server of the webhooks. Undefined if no webhook is served. */
  get server(): ServedEndpoint | undefined {
    return this.#server;
  }

  /** Whether the manager serves conversions, so that other requests to the API server can depend on this process. */
  get servesConversions(): boolean {
    return this.#servesConversions;
  }

  /** Replaces the options of the server, and enables the server. Call this method before the start. */
  serveWith(options: WebhooksOptions): void {
    this.#options = options;
  }
  /**
   * Adds declarations. Throws DUPLICATE_WEBHOOK if another webhook has the same path or name, and INVALID_WEBHOOK. If the manager was
   * already started, throws INVALID_CONVERSION if the converters of a kind are not valid.
   */
  add(added: AddedWebhook): void {
    const declared: Declared[] = [];
    const converters: DeclaredConverter[] = [];
    const claims: Claim[] = [];
    for (const record of added.records) {
      if (record.type === 'converter') converters.push({ name: added.name, options: record.options });
      else if (record.type === 'authenticator') claims.push({ owner: added.name, path: pathOf(record) });
      else append(declared, declaredOf(added, record));
    }
    for (const { webhook } of declared) claims.push({ owner: added.name, ...webhook });
    for (const [at, each] of claims.entries()) assertUnique(each, [...this.#claims, ...claims.slice(0, at)]);
    // Before the start, converters can be added in any order, so that the graph may still be incomplete.
    if (this.#isStarted) ConversionGraph.of([...this.#declaredConverters, ...converters]);
    append(this.#declared, declared);
    append(this.#claims, claims);
    append(this.#declaredConverters, converters);
  }

  /**
   * Serves webhooks that were added. `make` returns the objects that handle the requests. If this call creates the server, returns the
   * member that runs the server. Otherwise, returns an empty list. If webhooks are disabled, logs this once and does not call `make`.
   * Throws INVALID_CONVERSION if the converters of a kind are not valid; see `ConversionGraph.of`.
   */
  placed(added: AddedWebhook, make: () => readonly object[]): readonly Placed[] {
    if (!this.#isStarted) ConversionGraph.of(this.#declaredConverters);
    this.#isStarted = true;
    const options = this.#options;
    if (options === false) {
      this.#reportDisabled();
      return [];
    }
    const created = this.#server === undefined;
    const server = (this.#server ??= this.#newServer(options));
    this.#serve(added, make(), server);
    if (!created) return [];
    this.#using.health.addReadyCheck({ name: 'webhooks', check: () => server.check?.() });
    return [placedEndpoint('webhooks', server, 'webhooks')];
  }

  /** The description of the webhooks, for manifests. Undefined if there are none, or if webhooks are disabled. */
  get description(): DescribedWebhooks | undefined {
    const { deployed } = this.#using;
    const isEmpty = this.#claims.length === 0 && this.#declaredConverters.length === 0;
    if (deployed === false || isEmpty) return undefined;
    return {
      port: webhookPort(deployed.port),
      admission: this.#declared.map(({ webhook }) => webhook),
      conversions: [...ConversionGraph.of(this.#declaredConverters).values()].map(({ description }) => description),
      certificates: sourceOf(deployed.certificates),
    };
  }

  #newServer(options: WebhooksOptions): WebhookEndpoint {
    const { clock, logger, metrics } = this.#using;
    if (options.server !== undefined) return options.server;
    const injectInto = (name: string): Promise<() => InjectedObjects> => this.#injectedObjects(name);
    const certificates = certificatesOf(options, { ...this.#using, injectInto });
    return new WebhookServer({ ...options, certificates }, { clock, logger, metrics });
  }
  /**
   * Returns a function that returns the names of the objects that receive the CA bundle. Each call of the function also includes webhooks
   * that were added in the meantime. Imports the module for webhook configurations only when needed, because the module loads built-in
   * kinds.
   */
  async #injectedObjects(name: string): Promise<() => InjectedObjects> {
    const { webhookConfigurations } = await import('../../rbac/webhook-configurations.js');
    const names = { mutating: '', validating: '' };
    const { mutatingConfiguration, validatingConfiguration } = webhookNames(name);
    return () => {
      const conversions = [...ConversionGraph.of(this.#declaredConverters).values()].map(
        ({ description }) => description,
      );
      const admission = this.#declared.map(({ webhook }) => webhook);
      const needed = webhookConfigurations({ admission, conversions }, () => ({}), names);
      return {
        ...(needed.mutating !== undefined && { mutatingConfiguration }),
        ...(needed.validating !== undefined && { validatingConfiguration }),
        customResourceDefinitions: needed.conversions.map(({ definition }) => definition),
      };
    };
  }
  #serve(added: AddedWebhook, made: readonly object[], server: WebhookEndpoint): void {
    const { clock, logger, metrics } = this.#using;
    const options = this.#options;
    const around = options === false ? undefined : options.around;
    for (const { record, webhook } of this.#declared.filter((each) => each.added === added)) {
      const { path } = webhook;
      const using = { clock, logger, around, metrics: metrics.webhook(path) };
      const served = { type: record.type, webhook, handlers: made as readonly AdmissionHandler[] };
      server.handle(path, admissionEndpoint(served, using));
    }
    for (const record of added.records) {
      if (record.type === 'authenticator') {
        const path = pathOf(record);
        const [authenticator] = made as readonly Authenticator[];
        const using = { clock, logger, around, metrics: metrics.webhook(path) };
        if (authenticator !== undefined) server.handle(path, tokenReviewEndpoint(authenticator, using));
      }
      if (record.type !== 'converter') continue;
      const [converter] = made as readonly Converter<KubeObject, KubeObject>[];
      if (converter !== undefined) this.#convert({ name: added.name, options: record.options, converter }, server);
    }
  }
  #convert(converter: ServedConverter, server: WebhookEndpoint): void {
    this.#converters.push(converter);
    // Until the last converter of the start is added, the graph can have two hubs.
    if (this.#converters.length === this.#declaredConverters.length)
      this.#graphs = ConversionGraph.of(this.#converters);
    if (this.#servesConversions) return;
    this.#servesConversions = true;
    const { clock, logger, metrics } = this.#using;
    const using = { clock, logger, metrics: metrics.webhook(CONVERSION_PATH), graphs: () => this.#graphs };
    server.handle(CONVERSION_PATH, conversionEndpoint(using));
  }
  #reportDisabled(): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#using.logger.info(
      'webhooks are not served, because the webhook server is disabled; set the option webhooks to an object to enable the server',
      {
        webhooks: this.#claims.map(({ name, path }) => name ?? path),
      },
    );
  }
}

function declaredOf(added: AddedWebhook, record: AdmissionRecord): readonly Declared[] {
  const where = added.target === undefined ? added.name : `class ${added.name}`;
  return describedAdmission(record, admissionMethods(added), where).map((webhook) => ({ added, record, webhook }));
}
function pathOf({ options }: AuthenticatorRecord): string {
  return options.path ?? AUTHENTICATION_PATH;
}
function assertUnique({ owner, path, name, type }: Claim, others: readonly Claim[]): void {
  const isSameName = (each: Claim): boolean => name !== undefined && each.name === name && each.type === type;
  const other = others.find((each) => each.path === path || isSameName(each));
  if (other === undefined) return;
  const what = other.path === path ? `the path '${path}'` : `the name '${name}'`;
  throw new KubewrightError(
    'DUPLICATE_WEBHOOK',
    `cannot add the webhook of ${owner}: the webhook of ${other.owner} also has ${what}; set the options name and path of one of them`,
  );
}
