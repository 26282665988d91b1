import type { AnyClass } from '../metadata/any-class.js';
import { metadataOf, recordMetadata } from '../metadata/reflection.js';
import {
  checkAuthenticatorOptions,
  checkConverterOptions,
  checkWebhookOptions,
  invalidWebhook,
} from './check-webhook-options.js';
import type { AdmissionRecord, AdmissionType, ConverterRecord, WebhookRecord } from './webhook-record.js';

/** The methods of each type of webhook. An admission webhook defines at least one of them. */
const METHODS: Readonly<Record<WebhookRecord['type'], readonly string[]>> = {
  defaulter: ['default'],
  validator: ['validate'],
  admission: ['mutate', 'validate'],
  converter: ['up', 'down'],
  authenticator: ['authenticate'],
};

/** Records the options of an admission webhook on its class. Throws INVALID_WEBHOOK. */
export function recordWebhook(target: AnyClass, type: AdmissionType, options: object): void {
  checkWebhookOptions(type, options, nameOf(target));
  const methods = METHODS[type].filter((method) => defines(target, method));
  if (methods.length === 0) {
    throw invalidWebhook(nameOf(target), `the class does not define the method ${METHODS[type].join(' or ')}; add it`);
  }
  record(target, { type, options: options as AdmissionRecord['options'] });
}

/** Records the options of a converter on its class. Throws INVALID_WEBHOOK. */
export function recordConverter(target: AnyClass, options: object): void {
  checkConverterOptions(options, nameOf(target));
  assertMethods(target, METHODS.converter);
  record(target, { type: 'converter', options: options as ConverterRecord['options'] });
}

/** Records the options of an authentication webhook on its class. Throws INVALID_WEBHOOK. */
export function recordAuthenticator(target: AnyClass, options: object): void {
  checkAuthenticatorOptions(options, nameOf(target));
  assertMethods(target, METHODS.authenticator);
  record(target, { type: 'authenticator', options });
}

/** Returns the webhooks that the decorators of a class declare, in the order of the source. A subclass does not inherit webhooks. */
export function webhooksOf(target: AnyClass): readonly WebhookRecord[] {
  return (metadataOf(target).webhooks ?? []) as readonly WebhookRecord[];
}

/** Decorators run from the last one to the first one, so each record is inserted before the previous records. */
function record(target: AnyClass, added: WebhookRecord): void {
  recordMetadata(target, (metadata) => ({ ...metadata, webhooks: [added, ...(metadata.webhooks ?? [])] }));
}
function assertMethods(target: AnyClass, methods: readonly string[]): void {
  const missing = methods.find((method) => !defines(target, method));
  if (missing === undefined) return;
  throw invalidWebhook(nameOf(target), `the class does not define the method ${missing}; add it`);
}
function defines(target: AnyClass, method: string): boolean {
  return typeof (target.prototype as Readonly<Record<string, unknown>>)[method] === 'function';
}
function nameOf({ name }: AnyClass): string {
  return name === '' ? 'an unnamed class' : `class ${name}`;
}
