import { messageOf } from '@kubewright/api/errors';
import { shownText } from './known-secrets.js';
import { maskSecrets } from './mask-secrets.js';

/**
 * Returns a copy of an error for serializers, with secrets masked. The copy has the same name, constructor and code, and a masked message,
 * stack and cause.
 */
export function maskedError(error: Error): Error {
  const data = maskSecrets(error) as Pick<Error, 'name' | 'message' | 'stack' | 'cause'> & { readonly code?: unknown };
  const copy = new Error(data.message, data.cause === undefined ? undefined : { cause: data.cause });
  Object.defineProperties(copy, {
    name: { value: data.name },
    stack: { value: data.stack },
    constructor: { value: error.constructor },
  });
  return data.code === undefined ? copy : Object.assign(copy, { code: data.code });
}

/** Returns a thrown value with secrets masked: a masked copy of an error, or a masked string for any other value. */
export function maskedThrown(thrown: unknown): Error | string {
  return thrown instanceof Error ? maskedError(thrown) : shownText(messageOf(thrown));
}
