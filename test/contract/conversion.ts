import type { ContractApi } from './contract-api.js';
import type { ContractCase } from './contract.js';
import { install, version, widgets, widgetsOf } from './custom-kinds.js';
import type { Json } from './json.js';
import { type WebhookReply, WebhookServer } from './webhook-server.js';

const text = { type: 'string' };
const path = '/convert';

/** Returns the schema of a version. The size is a number in v1, and a string in the other versions. */
export function schemaOf(name: string, spec: object = {}): object {
  const size = name === 'v1' ? { size: { type: 'integer', minimum: 1 } } : { extent: { type: 'string', maxLength: 5 } };
  const properties = {
    spec: { type: 'object', properties: { ...size, colour: text, ...spec } },
    status: { type: 'object', properties: { ...size, note: text } },
  };
  return { schema: { openAPIV3Schema: { type: 'object', properties } } };
}

/** Returns the versions of the definition: v1, which is the stored version, and v1beta1. */
export function twoVersions(more: object = {}): readonly object[] {
  return [
    version('v1', { ...schemaOf('v1'), ...more }),
    version('v1beta1', { ...schemaOf('v1beta1'), storage: false, ...more }),
  ];
}

/** Returns a case with a server for its conversion webhook. */
export function converting(run: (api: ContractApi, conversion: Conversion) => Promise<void>): ContractCase {
  return async (api) => {
    await using server = await WebhookServer.start();
    await run(api, new Conversion(api, server));
  };
}

/** Installs Widget with a conversion webhook, and shows the reviews that the webhook receives. */
export class Conversion {
  readonly #api: ContractApi;
  readonly server: WebhookServer;

  constructor(api: ContractApi, server: WebhookServer) {
    this.#api = api;
    this.server = server;
    this.reply(convert());
    api.mask(server.caBundle, '<ca>');
  }

  /** Sets the answers of the webhook. */
  reply(reply: WebhookReply): void {
    this.server.reply(path, reply);
  }

  /** Returns the conversion of a definition, with other fields of the webhook. */
  webhook(more: object = {}): object {
    const clientConfig = { url: this.server.url(path), caBundle: this.server.caBundle };
    return { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'], ...more } };
  }

  /** Returns the definition of Widget in two versions, with other fields of its spec. */
  definition(spec: object = {}): object {
    return widgets(this.#api, { versions: twoVersions(), conversion: this.webhook(), ...spec });
  }

  /** Installs the definition. */
  async install(spec: object = {}): Promise<void> {
    await install(this.#api, this.definition(spec));
  }

  /** Installs the definition, and creates the Widget `w` in v1. */
  async stored(spec: object = {}): Promise<void> {
    await this.install(spec);
    await this.#api.post(widgetsOf(this.#api), widget(this.#api), { quiet: true });
    await this.settle();
  }

  /** Waits until the caches of the versions of a real server contain all objects. A real server converts each change for these caches. */
  async settle(...versions: readonly string[]): Promise<void> {
    for (const name of versions.length === 0 ? ['v1', 'v1beta1'] : versions) {
      await this.#api.untilCached(widgetsOf(this.#api, name));
    }
    this.server.takeCalls();
  }

  /** Adds the requests that the webhook received since the last call of `settle` to the transcript. */
  reviews(only?: readonly string[]): void {
    for (const { method, target, review } of this.server.takeCalls()) {
      this.#api.received(`${method} <webhook>${target}`, review, only && { only });
    }
  }
}

/** Returns a Widget. */
export function widget(
  api: ContractApi,
  inVersion = 'v1',
  { name = 'w', ...more }: { name?: string; [field: string]: unknown } = {},
): object {
  const spec = inVersion === 'v1' ? { size: 3 } : { extent: '3' };
  return { apiVersion: `${api.group}/${inVersion}`, kind: 'Widget', metadata: { name }, spec, ...more };
}

/** Returns a reply that converts the objects, and changes each converted object, or the response. */
export function convert(
  change: (object: Json) => unknown = (object) => object,
  response: (converted: readonly unknown[]) => object = () => ({}),
): WebhookReply {
  return ({ apiVersion, request }: Json) => {
    const convertedObjects = request.objects.map((object: Json) =>
      change(converted(object, request.desiredAPIVersion)),
    );
    const result = { status: 'Success' };
    const body = { uid: request.uid, result, convertedObjects, ...response(convertedObjects) };
    return { body: { apiVersion, kind: 'ConversionReview', response: body } };
  };
}

function converted(object: Json, apiVersion: string): Json {
  const isStored = apiVersion.endsWith('/v1');
  const part = (given: Json): Json => {
    const { size = Number(given.extent), extent = String(given.size), ...rest } = given;
    const known = isStored ? Number.isNaN(size) : extent === 'undefined';
    return known ? rest : { ...rest, ...(isStored ? { size } : { extent }) };
  };
  const parts = ['spec', 'status']
    .filter((name) => object[name] !== undefined)
    .map((name) => [name, part(object[name])]);
  return { ...object, ...Object.fromEntries(parts), apiVersion };
}
