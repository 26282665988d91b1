import type { ApiObject } from '../../registry/objects/api-object.js';
import { keyText } from '../objects/object-reference.js';
import type { FeedEvent } from './resource-feed.js';

type Objects = Map<string, ApiObject>;

/** The buckets of the indexed objects. */
const indexed: ReadonlySet<string> = new Set([
  '/persistentvolumeclaims',
  '/persistentvolumes',
  '/pods',
  '/replicationcontrollers',
  '/services',
  'apps/controllerrevisions',
  'apps/daemonsets',
  'apps/deployments',
  'apps/replicasets',
  'apps/statefulsets',
  'batch/cronjobs',
  'batch/jobs',
  'discovery.k8s.io/endpointslices',
  'policy/poddisruptionbudgets',
]);

/**
 * Indexes the objects of the kinds in `indexed`, by namespace and by the UID of the controlling owner, so that no event
 * requires a scan of a list. The feed delivers each write before the write returns, so the index is always current.
 */
export class ObjectIndex {
  readonly #byNamespace = new Map<string, Objects>();
  readonly #byController = new Map<string, Objects>();
  /** For each object, its key in `#byController`. */
  readonly #places = new Map<string, string>();

  /** Updates the index with a change. */
  observe({ type, bucket, object }: FeedEvent): void {
    if (!indexed.has(bucket)) return;
    const key = keyText(object.metadata);
    const reference = `${bucket}|${key}`;
    const place = type === 'DELETED' ? undefined : placeOf(bucket, object);
    const before = this.#places.get(reference);
    if (before !== undefined && before !== place) remove(this.#byController, before, key);
    const namespace = `${bucket}|${object.metadata.namespace ?? ''}`;
    if (place === undefined) {
      this.#places.delete(reference);
      remove(this.#byNamespace, namespace, key);
    } else {
      this.#places.set(reference, place);
      put(this.#byController, place, { key, object });
      put(this.#byNamespace, namespace, { key, object });
    }
  }

  /** Returns the objects of a bucket that the owner controls. */
  controlledBy(owner: { readonly metadata: { readonly uid: string } }, bucket: string): readonly ApiObject[] {
    return [...(this.#byController.get(`${bucket}|${owner.metadata.uid}`)?.values() ?? [])];
  }

  /** Returns the objects of a bucket and namespace without a controlling owner. */
  orphans(bucket: string, namespace: string | undefined): readonly ApiObject[] {
    return [...(this.#byController.get(`${bucket}||${namespace ?? ''}`)?.values() ?? [])];
  }

  /** Returns the objects of a bucket in all namespaces. */
  all(bucket: string): readonly ApiObject[] {
    const places = [...this.#byNamespace].filter(([place]) => place.startsWith(`${bucket}|`));
    return places.flatMap(([, objects]) => [...objects.values()]);
  }

  /** Returns the objects of a bucket in a namespace, in no defined order. Use an undefined namespace for a cluster-scoped kind. */
  inNamespace(bucket: string, namespace: string | undefined): readonly ApiObject[] {
    return [...(this.#byNamespace.get(`${bucket}|${namespace ?? ''}`)?.values() ?? [])];
  }
}

function placeOf(bucket: string, { metadata }: ApiObject): string {
  const controller = metadata.ownerReferences?.find((owner) => owner.controller === true);
  return controller === undefined ? `${bucket}||${metadata.namespace ?? ''}` : `${bucket}|${controller.uid}`;
}

function put(places: Map<string, Objects>, place: string, entry: { readonly key: string; readonly object: ApiObject }) {
  const known = places.get(place);
  if (known === undefined) places.set(place, new Map([[entry.key, entry.object]]));
  else known.set(entry.key, entry.object);
}

function remove(places: Map<string, Objects>, place: string, key: string): void {
  const known = places.get(place);
  known?.delete(key);
  if (known?.size === 0) places.delete(place);
}
