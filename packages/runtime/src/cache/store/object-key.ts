import type { ObjectKey } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';

/** Formats a key as `namespace/name`, or as `name` for an object of a cluster-scoped kind. */
export function formatKey(key: ObjectKey): string {
  return key.namespace === undefined || key.namespace === '' ? key.name : `${key.namespace}/${key.name}`;
}

/** Parses the text of a key. Throws INVALID_KEY for more than one slash and for empty parts. */
export function parseKey(text: string): ObjectKey {
  const parts = text.split('/');
  if (parts.length > 2 || parts.includes('')) {
    throw new KubewrightError('INVALID_KEY', `'${text}' is not an object key: use name or namespace/name`);
  }
  const [first = '', second] = parts;
  return second === undefined ? { name: first } : { namespace: first, name: second };
}

/** Returns the key of an object. Throws INVALID_KEY, with the object in the message, if the object has no name. */
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
