import type { ObjectKey } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';

/** Formats a key as `namespace/name`, or as `name` for a cluster-scoped object. */
export function formatKey(key: ObjectKey): string {
  return key.namespace === undefined || key.namespace === '' ? key.name : `${key.namespace}/${key.name}`;
}

/** Parses a formatted key. Throws INVALID_KEY if the text contains several slashes or empty parts. */
export function parseKey(text: string): ObjectKey {
  const parts = text.split('/');
  if (parts.length > 2 || parts.includes('')) {
    throw new KubewrightError('INVALID_KEY', `'${text}' is not an object key: use name or namespace/name`);
  }
  const [first = '', second] = parts;
  return second === undefined ? { name: first } : { namespace: first, name: second };
}

/** Returns the key of an object. Throws INVALID_KEY if the object has no name; the message contains the object. */
export function keyOf(object: { readonly metadata?: Partial<ObjectKey> }): ObjectKey {
  const metadata = object.metadata;
  if (typeof metadata?.name !== 'string' || metadata.name === '') {
    throw new KubewrightError(
      'INVALID_KEY',
      `an object without a name has no key: ${JSON.stringify(object).slice(0, 200)}`,
    );
  }
  return metadata.namespace === undefined
    ? { name: metadata.name }
    : { namespace: metadata.namespace, name: metadata.name };
}
