import { append, stringifyJson } from '@kubewright/api/json';
import type { ApiObject } from '../objects/api-object.js';
import { isObject, objectAt, stringAt, valueAt } from '../objects/json-object.js';
import { failure } from '../requests/status-errors.js';
import type { WebhookClientConfig } from '../webhooks/client-config.js';
import { isStatus } from '../webhooks/read-answer.js';
import { WebhookCallError } from '../webhooks/webhook-call-error.js';
import type { WebhookClient } from '../webhooks/webhook-client.js';
import { checkedConversion } from './checked-conversion.js';
import { type ConversionReview, conversionReview, typeText } from './conversion-review.js';

/** The time limit of a webhook call. */
const timeoutMs = 30_000;

/** The result of the conversion of one object. */
export type Conversion = { readonly object: ApiObject } | { readonly error: Error };

/**
 * Converts the objects of a CustomResourceDefinition between its versions with the webhook in `spec.conversion`. The errors are 500 errors
 * with the texts of a kube-apiserver.
 */
export class WebhookConverter {
  readonly #webhooks: WebhookClient;
  readonly #clientConfig: WebhookClientConfig;
  readonly #reviewVersions: readonly string[];
  readonly #isVersion: (apiVersion: string) => boolean;

  /** @param isVersion returns whether the definition contains a version. The version does not need to be served */
  constructor(crd: ApiObject, webhooks: WebhookClient, isVersion: (apiVersion: string) => boolean) {
    const versions = valueAt(crd, 'spec', 'conversion', 'webhook', 'conversionReviewVersions');
    this.#webhooks = webhooks;
    this.#clientConfig = clientConfigOf(crd);
    this.#reviewVersions = Array.isArray(versions) ? versions.map(String) : [];
    this.#isVersion = isVersion;
  }

  /** Converts one object. Returns the same object if it already has the version. Rejects with an ApiError if the conversion fails. */
  async convert(object: ApiObject, apiVersion: string): Promise<ApiObject> {
    const [converted] = await this.convertAll([object], apiVersion);
    if (converted !== undefined && 'object' in converted) return converted.object;
    throw converted?.error;
  }

  /**
   * Converts objects with one call, and returns a result for each object. Does not send objects that already have the version. If the call
   * itself fails, every sent object gets an error. If the webhook refuses the request or the response is invalid, converts each object with
   * its own call, because the fault may affect only some of the objects.
   */
  async convertAll(objects: readonly ApiObject[], apiVersion: string): Promise<readonly Conversion[]> {
    const results = objects.map((object) => this.#unsent(object, apiVersion));
    const positions = [...objects.keys()].filter((at) => results[at] === undefined);
    const sent = positions.map((at) => objects[at] as ApiObject);
    const converted = sent.length === 0 ? [] : await this.#send(sent, apiVersion);
    for (const [at, position] of positions.entries()) results[position] = converted[at];
    return results as Conversion[];
  }

  /** Returns the result for an object that is not sent to the webhook, or undefined for other objects. */
  #unsent(object: ApiObject, apiVersion: string): Conversion | undefined {
    const versions = [
      ['to', apiVersion],
      ['from', object.apiVersion],
    ] as const;
    const invalid = versions.find(([, version]) => !this.#isVersion(version));
    if (invalid !== undefined) {
      const [preposition, version] = invalid;
      return refused(`request to convert CR ${preposition} an invalid group/version: ${version}`);
    }
    return object.apiVersion === apiVersion ? { object } : undefined;
  }

  async #send(objects: readonly ApiObject[], apiVersion: string): Promise<readonly Conversion[]> {
    const review = conversionReview(objects, {
      apiVersion,
      versions: this.#reviewVersions,
      uid: this.#webhooks.random.uuid(),
    });
    if (review === undefined) return objects.map(() => refused('no supported conversion review versions'));
    let answer: unknown;
    try {
      const body = stringifyJson(review.body);
      answer = await this.#webhooks.call({ clientConfig: this.#clientConfig, body, timeoutMs });
      if (isObject(answer) && isStatus(answer) && answer['status'] !== 'Success') {
        throw new WebhookCallError(stringAt(answer, 'message'));
      }
    } catch (error) {
      return objects.map((object) => refused(`${leadOf(object)} failed: ${messageOf(error)}`));
    }
    const converted = convertedOf(review, answer, objects);
    if (typeof converted !== 'string') {
      return objects.map((object, at) => checked(object, converted[at], apiVersion));
    }
    if (objects.length === 1) return [refused(converted)];
    const results: Conversion[] = [];
    for (const object of objects) append(results, await this.#send([object], apiVersion));
    return results;
  }
}

/**
 * Returns the `clientConfig` of the conversion webhook. As in a kube-apiserver, a `caBundle` that contains only whitespace has no effect.
 */
function clientConfigOf(crd: ApiObject): WebhookClientConfig {
  const config = objectAt(crd, 'spec', 'conversion', 'webhook', 'clientConfig') as WebhookClientConfig;
  const isBlank =
    Buffer.from(config.caBundle ?? '', 'base64')
      .toString()
      .trim() === '';
  return isBlank ? { ...config, caBundle: '' } : config;
}

/**
 * Returns the converted objects. Returns an error text if the webhook refuses the request, if the response is invalid, or if the response
 * contains more or fewer objects than the request.
 */
function convertedOf(
  review: ConversionReview,
  answer: unknown,
  objects: readonly ApiObject[],
): string | readonly unknown[] {
  const lead = objects[0] === undefined ? '' : leadOf(objects[0]);
  try {
    const converted = review.converted(answer);
    if (converted.length === objects.length) return converted;
    return `${lead} returned ${converted.length} objects, expected ${objects.length}`;
  } catch (error) {
    return `${lead} failed: ${messageOf(error)}`;
  }
}

function checked(object: ApiObject, converted: unknown, apiVersion: string): Conversion {
  try {
    return { object: checkedConversion(object, converted, { apiVersion, lead: leadOf(object) }) };
  } catch (error) {
    return refused(messageOf(error));
  }
}

function leadOf(object: ApiObject): string {
  return `conversion webhook for ${typeText(object)}`;
}

/** Returns the message of a WebhookCallError. Rethrows other errors. */
function messageOf(error: unknown): string {
  if (error instanceof WebhookCallError) return error.message;
  throw error;
}

function refused(message: string): Conversion {
  return { error: failure(500, '', { message }) };
}
