import type { ResourceKey } from '../registry/verb-options.js';

/** An object of any kind as one string, for queues and indexes. */
export function referenceText(bucket: string, { namespace, name }: ResourceKey): string {
  return `${bucket}|${namespace ?? ''}|${name}`;
}

/** What `referenceText` wrote. */
export function parseReference(text: string): { readonly bucket: string; readonly key: ResourceKey } {
  const [bucket = '', namespace = '', name = ''] = text.split('|');
  return { bucket, key: namespace === '' ? { name } : { namespace, name } };
}

/** A namespaced key as `namespace/name`, a cluster-scoped one as its name. */
export function keyText({ namespace, name }: ResourceKey): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** What `keyText` wrote. */
export function parseKey(text: string): ResourceKey {
  const slash = text.indexOf('/');
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}
