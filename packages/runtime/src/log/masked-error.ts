import { messageOf } from '@kubewright/api/errors';
import { shownText } from './known-secrets.js';
import { maskSecrets } from './mask-secrets.js';

/** Returns an error for serializers: the same name, constructor, message, stack, code and cause, with secrets masked. */
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

/** Returns a thrown value with secrets masked. Returns an error as `maskedError` does, and any other value as text. */
export function maskedThrown(thrown: unknown): Error | string {
  return thrown instanceof Error ? maskedError(thrown) : shownText(messageOf(thrown));
}
