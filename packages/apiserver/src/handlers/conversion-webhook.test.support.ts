import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { isObject, objectAt, objectsAt, stringAt } from '../registry/objects/json-object.js';
import { TestAuthority } from '../registry/webhooks/certificates.test.support.js';

type Json = Record<string, unknown>;

/** Returns the answer to a review. If the result is undefined, the webhook answers with the converted objects. */
export type Answer = (review: Json) => unknown;

/** A conversion webhook for Widgets: v1 has `spec.size`, and v2 has `spec.box.size`. */
export class ConversionWebhook implements AsyncDisposable {
  readonly #server: Server;
  readonly caBundle: string;
  /** The received reviews. */
  readonly reviews: Json[] = [];
  /** Replaces the answers. */
  answer: Answer = () => undefined;

  private constructor(server: Server, caBundle: string) {
    this.#server = server;
    this.caBundle = caBundle;
  }

  static async start(): Promise<ConversionWebhook> {
    const authority = await TestAuthority.create();
    const server = createServer(await authority.issue({ addresses: ['127.0.0.1'] }));
    const webhook = new ConversionWebhook(server, authority.caBundle);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        void webhook.#reply(JSON.parse(Buffer.concat(chunks).toString()) as Json).then((answer) => {
          response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
        });
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return webhook;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}/convert`;
  }

  /** The requests of the reviews, as `VERSION: NAME,NAME`. */
  get requests(): readonly string[] {
    return this.reviews.map((review) => {
      const names = objectsAt(review, 'request', 'objects').map((object) => stringAt(object, 'metadata', 'name'));
      return `${stringAt(review, 'request', 'desiredAPIVersion').split('/')[1]}: ${names.join(',')}`;
    });
  }

  /** Returns the definition of Widgets, with `storage` as the storage version. */
  definition(storage: 'v1' | 'v2' = 'v1', conversion: Json = {}): object {
    const size = { type: 'integer' };
    const specs: Record<string, Json> = {
      v1: { size, unit: { type: 'string', default: 'cm' } },
      v2: { box: { type: 'object', properties: { size, unit: { type: 'string' } } }, note: { type: 'string' } },
    };
    const version = (name: 'v1' | 'v2'): object => ({
      name,
      served: true,
      storage: name === storage,
      subresources: {
        status: {},
        scale: {
          specReplicasPath: name === 'v1' ? '.spec.size' : '.spec.box.size',
          statusReplicasPath: '.status.size',
        },
      },
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: { type: 'object', properties: specs[name] },
            status: { type: 'object', properties: { size } },
          },
        },
      },
      selectableFields: name === 'v2' ? [{ jsonPath: '.spec.note' }] : [],
    });
    return {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
        versions: [version('v1'), version('v2')],
        conversion: {
          strategy: 'Webhook',
          webhook: {
            conversionReviewVersions: ['v1'],
            clientConfig: { url: this.url, caBundle: this.caBundle },
            ...conversion,
          },
        },
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #reply(review: Json): Promise<unknown> {
    this.reviews.push(review);
    const answer = await this.answer(review);
    if (answer !== undefined) return answer;
    const { request } = review;
    const convertedObjects = objectsAt(request, 'objects').map((object) =>
      convertWidget(object, stringAt(request, 'desiredAPIVersion')),
    );
    return response(review, { convertedObjects, result: { status: 'Success' } });
  }
}

/** Returns the answer to a review with a response. */
export function response(review: Json, fields: object): object {
  const { apiVersion, kind } = review;
  return { apiVersion, kind, response: { uid: stringAt(review, 'request', 'uid'), ...fields } };
}

/** Converts a Widget. Adds a label with the version from which the object is converted. */
export function convertWidget(object: Json, apiVersion: string): Json {
  const spec = objectAt(object, 'spec');
  const metadata = objectAt(object, 'metadata');
  const labels = { ...objectAt(metadata, 'labels'), from: stringAt(object, 'apiVersion').split('/')[1] };
  const { size, unit } = spec['box'] === undefined ? spec : objectAt(spec, 'box');
  const box = JSON.parse(JSON.stringify({ size, unit })) as Json;
  const converted = apiVersion === 'example.com/v1' ? box : { box, note: `size ${String(size)}` };
  return { ...object, apiVersion, metadata: { ...metadata, labels }, ...(isObject(spec) ? { spec: converted } : {}) };
}
