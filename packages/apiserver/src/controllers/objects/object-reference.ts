import type { ResourceKey } from '../../registry/requests/verb-options.js';

/** Returns a reference to an object of any kind as a string, for queues and indexes. */
export function referenceText(bucket: string, { namespace, name }: ResourceKey): string {
  return `${bucket}|${namespace ?? ''}|${name}`;
}

/** Parses the result of `referenceText`. */
export function parseReference(text: string): { readonly bucket: string; readonly key: ResourceKey } {
  const [bucket = '', namespace = '', name = ''] = text.split('|');
  return { bucket, key: namespace === '' ? { name } : { namespace, name } };
}

/** Returns a namespaced key as `namespace/name`, and a cluster-scoped key as its name. */
export function keyText({ namespace, name }: ResourceKey): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** Parses the result of `keyText`. */
export function parseKey(text: string): ResourceKey {
  const slash = text.indexOf('/');
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}
