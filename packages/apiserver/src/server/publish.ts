import { timestamp } from '../registry/metadata/metadata-rules.js';
import type { ApiObject } from '../registry/objects/api-object.js';
import type { Registry } from '../registry/registry.js';

/** An object before its creation. */
type Published = Omit<ApiObject, 'metadata'> & {
  readonly metadata: { readonly name: string; readonly namespace: string } & Readonly<Record<string, unknown>>;
};

/**
 * Creates an object that describes the server. If the object already exists, replaces its fields, but not its metadata. The content is
 * valid, so the object is not validated.
 */
export function publish({ store, clock }: Registry, bucket: string, { metadata, ...content }: Published): void {
  const live = store.get(bucket, metadata);
  if (live !== undefined) {
    store.update(bucket, { ...live, ...content });
    return;
  }
  const created = { uid: clock.random.uuid(), creationTimestamp: timestamp(clock.now()) };
  store.create(bucket, { ...content, metadata: { ...created, ...metadata } });
}
