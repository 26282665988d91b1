import { WebhookServer } from '../contract/webhook-server.js';
import { type FuzzAnswer, FuzzedServer } from './fuzzed-server.js';

/** The fields of an AdmissionReview or a ConversionReview that the fuzzer reads. */
export interface Review {
  readonly apiVersion: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion?: string;
    readonly objects?: readonly object[];
  };
}

const group = 'example.com';
const configMaps = '/api/v1/namespaces/default/configmaps';
const widgets = (version: string): string => `/apis/${group}/${version}/namespaces/default/widgets`;
const admission = (kind: string): string => `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const headers = { 'content-type': 'application/json' };

/** An embedded server in a separate process, with a mutating, a validating and a conversion webhook. The caller chooses the replies. */
export class FuzzedWebhooks implements AsyncDisposable {
  readonly #server: FuzzedServer;
  readonly #webhooks: WebhookServer;

  private constructor(server: FuzzedServer, webhooks: WebhookServer) {
    this.#server = server;
    this.#webhooks = webhooks;
  }

  static async start(): Promise<FuzzedWebhooks> {
    const fuzzed = new FuzzedWebhooks(await FuzzedServer.start(), await WebhookServer.start());
    for (const kind of ['mutating', 'validating'] as const) await fuzzed.#create(admission(kind), fuzzed.#hook(kind));
    await fuzzed.#create(definitions, fuzzed.#definition());
    const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'stored' }, spec: { size: 1 } };
    await fuzzed.#create(widgets('v1'), widget);
    return fuzzed;
  }

  /** Sends a request that calls one webhook. Returns the response and, if the server process has ended, a description of how it ended. */
  async send(
    kind: 'mutating' | 'validating' | 'conversion',
    reply: (review: Review) => string,
  ): Promise<{ readonly answer: FuzzAnswer | undefined; readonly end: string | undefined }> {
    this.#webhooks.reply(`/${kind}`, (review: Review) => ({
      body: reply(review),
      headers: { 'content-type': 'application/json' },
    }));
    this.#webhooks.takeCalls();
    const labels = { fuzz: kind };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels }, data: { k: 'v' } };
    const answer = await this.#server.send(
      kind === 'conversion'
        ? { method: 'GET', path: `${widgets('v2')}/stored`, headers }
        : { method: 'POST', path: `${configMaps}?dryRun=All`, headers, body: JSON.stringify(object) },
    );
    return { answer, end: this.#server.end };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    await this.#webhooks[Symbol.asyncDispose]();
  }

  async #create(path: string, object: object): Promise<void> {
    const answer = await this.#server.send({ method: 'POST', path, headers, body: JSON.stringify(object) });
    if (answer?.status !== 201) throw new Error(`cannot create an object of ${path}: ${answer?.body}`);
  }

  #client(path: string): object {
    return { url: this.#webhooks.url(path), caBundle: this.#webhooks.caBundle };
  }

  #hook(kind: string): object {
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
    const webhook = { name: `${kind}.example.com`, sideEffects: 'None', admissionReviewVersions: ['v1'], rules };
    const objectSelector = { matchLabels: { fuzz: kind } };
    return {
      metadata: { name: kind },
      webhooks: [{ ...webhook, objectSelector, clientConfig: this.#client(`/${kind}`) }],
    };
  }

  #definition(): object {
    const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const version = (name: string): object => {
      return { name, served: true, storage: name === 'v1', schema: { openAPIV3Schema } };
    };
    const webhook = { conversionReviewVersions: ['v1'], clientConfig: this.#client('/conversion') };
    const spec = {
      group,
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: [version('v1'), version('v2')],
      conversion: { strategy: 'Webhook', webhook },
    };
    return { metadata: { name: `widgets.${group}` }, spec };
  }
}
