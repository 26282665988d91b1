import type { ObjectKey } from '@kubewright/api';
import { KubewrightError, valueText } from '@kubewright/api/errors';

/** Formats a key as `namespace/name`, or as `name` for a cluster-scoped object. */
export function formatKey(key: ObjectKey): string {
  return key.namespace === undefined || key.namespace === '' ? key.name : `${key.namespace}/${key.name}`;
}

/** Parses a formatted key. Throws INVALID_KEY if the text contains several slashes or empty parts. */
export function parseKey(text: string): ObjectKey {
  const slash = text.indexOf('/');
  const isValid = slash < 0 ? text !== '' : slash > 0 && slash < text.length - 1 && !text.includes('/', slash + 1);
  if (!isValid) {
    throw new KubewrightError('INVALID_KEY', `${valueText(text)} is not an object key: use name or namespace/name`);
  }
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}

interface MaybeNamed {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: Partial<ObjectKey> & { readonly labels?: Readonly<Record<string, string>> };
}

/**
 * Returns the key of an object. Throws INVALID_KEY if the object has no name. The message contains the apiVersion, the kind, the namespace
 * and the labels of the object, but no fields that can be secret.
 */
export function keyOf({ apiVersion, kind, metadata }: MaybeNamed): ObjectKey {
  if (typeof metadata?.name !== 'string' || metadata.name === '') {
    const { namespace, labels } = metadata ?? {};
    const known = JSON.stringify({ apiVersion, kind, metadata: { namespace, labels } }).slice(0, 200);
    throw new KubewrightError('INVALID_KEY', `an object without a name has no key: ${known}`);
  }
  return metadata.namespace === undefined
    ? { name: metadata.name }
    : { namespace: metadata.namespace, name: metadata.name };
}
