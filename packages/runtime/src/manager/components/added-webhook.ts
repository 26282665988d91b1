import type { Admission, Authenticator, Converter, Defaulter, KubeObject, Validator } from '@kubewright/api';
import {
  type AdmissionRecord,
  type AdmissionType,
  checkConverterOptions,
  checkWebhookOptions,
  invalidWebhook,
  type ConverterRecord,
  type WebhookRecord,
  webhooksOf,
} from '@kubewright/api/metadata';
import type { AnyClass } from '../../metadata/class-metadata.js';
import type { AdmissionHandler } from '../../webhook/admission-call.js';
import type { Constructor } from '../injection/service-container.js';

/** A class or an object with the methods of webhooks. */
export type WebhookComponent =
  | Pick<Defaulter<never>, 'default'>
  | { validate(...args: never[]): unknown }
  | { readonly mutate: (...args: never[]) => unknown }
  | { up(object: never): unknown; down(object: never): unknown }
  | Authenticator;

/** Webhooks that were added to a manager: their declarations, and the class or the objects that handle the requests. */
export interface AddedWebhook {
  /** The name of the class, or the call of the manager, for messages. */
  readonly name: string;
  readonly records: readonly WebhookRecord[];
  /** The class of the webhooks. Undefined for webhooks without a class. */
  readonly target: AnyClass | undefined;
  /** A class that the container constructs, or the handlers themselves. */
  readonly handlers:
    | Constructor<AdmissionHandler | Converter<KubeObject, KubeObject> | Authenticator>
    | readonly object[];
}

/** Returns the webhooks that the decorators of a class declare. Returns undefined for a class without such decorators. */
export function decoratedWebhook(component: object, target: AnyClass): AddedWebhook | undefined {
  const records = webhooksOf(target as never);
  if (records.length === 0) return undefined;
  return {
    name: target.name,
    records,
    target,
    handlers: typeof component === 'function' ? (component as Constructor<AdmissionHandler>) : [component],
  };
}

const METHODS: Readonly<Record<AdmissionType, readonly string[]>> = {
  defaulter: ['default'],
  validator: ['validate'],
  admission: ['mutate', 'validate'],
};

/**
 * Returns an admission webhook that is declared by options and handlers instead of a class. `call` is the method of the manager, for
 * messages. Throws INVALID_WEBHOOK.
 */
export function plainAdmission(
  type: AdmissionType,
  options: AdmissionRecord['options'],
  given: unknown,
  call: string,
): AddedWebhook {
  const where = `manager.${call}`;
  checkWebhookOptions(type, options, where);
  const [method = ''] = METHODS[type];
  const handlers = (Array.isArray(given) ? (given as readonly unknown[]) : [given]).map((handler) =>
    typeof handler === 'function' && type !== 'admission' ? { [method]: handler } : handler,
  );
  const isFine = (handler: unknown): handler is object => METHODS[type].some((each) => has(handler, each));
  if (handlers.length === 0 || !handlers.every(isFine)) {
    const form = type === 'admission' ? 'an object with a method' : 'a function, or an object with the method';
    throw invalidWebhook(where, `it has no handler; pass ${form} ${METHODS[type].join(' or ')}`);
  }
  return { name: where, records: [{ type, options }], target: undefined, handlers };
}

/** Returns a converter that is declared by options and an object instead of a class. Throws INVALID_WEBHOOK. */
export function plainConverter(options: ConverterRecord['options'], converter: unknown): AddedWebhook {
  const where = 'manager.convert';
  checkConverterOptions(options, where);
  if (!has(converter, 'up') || !has(converter, 'down')) {
    throw invalidWebhook(where, 'it has no converter; pass an object with the methods up and down');
  }
  return { name: where, records: [{ type: 'converter', options }], target: undefined, handlers: [converter as object] };
}

/** Whether the handlers implement the methods of an admission webhook. */
export function admissionMethods({ handlers }: AddedWebhook): { readonly mutate: boolean; readonly validate: boolean } {
  const methods: readonly unknown[] = typeof handlers === 'function' ? [handlers.prototype] : handlers;
  return {
    mutate: methods.some((handler) => has(handler, 'mutate')),
    validate: methods.some((handler) => has(handler, 'validate')),
  };
}

function has(methods: unknown, name: string): boolean {
  return typeof (methods as Readonly<Record<string, unknown>> | null | undefined)?.[name] === 'function';
}

/** The handler of `manager.admit`, or several handlers. */
export type AdmissionHandlers<T extends object> = Admission<T> | readonly Admission<T>[];
/** The handler of `manager.default`, or several handlers. */
export type DefaulterHandlers<T extends KubeObject> = OneOrMore<Defaulter<T> | Defaulter<T>['default']>;
/** The handler of `manager.validate`, or several handlers. */
export type ValidatorHandlers<T extends KubeObject> = OneOrMore<Validator<T> | Validator<T>['validate']>;
type OneOrMore<T> = T | readonly T[];
