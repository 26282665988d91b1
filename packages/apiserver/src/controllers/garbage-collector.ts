import { isConflict, isNotFound } from '@kubewright/api/errors';
import { foregroundFinalizer, orphanFinalizer } from '../registry/deletion.js';
import type { ApiObject, OwnerReference } from '../registry/json-object.js';
import type { Registry } from '../registry/registry.js';
import { systemContext } from '../registry/request-context.js';
import type { Resource } from '../registry/resource.js';
import { parseReference, referenceText } from './object-reference.js';
import type { FeedEvent } from './resource-feed.js';
import { WorkLoop } from './work-loop.js';

/**
 * Deletes objects whose owners are all gone, by uid: an owner of the same name with another uid is not the owner. With
 * the foregroundDeletion finalizer dependents go first, with orphan they are released. An owner of a kind that is not
 * served is taken to exist.
 */
export class GarbageCollector {
  readonly loop: WorkLoop;
  readonly #registry: Registry;
  /** Dependents by the uid of an owner. */
  readonly #dependents = new Map<string, Set<string>>();
  /** The owners by which each object is in `#dependents`. */
  readonly #owners = new Map<string, readonly string[]>();

  constructor(registry: Registry, onActivity: () => void) {
    this.#registry = registry;
    this.loop = new WorkLoop({
      name: 'garbage-collector',
      clock: registry.clock,
      sync: (reference) => this.#sync(reference),
      onActivity,
    });
  }

  /** Takes note of a change; work follows later. */
  observe({ type, bucket, object }: FeedEvent): void {
    const { metadata } = object as unknown as ApiObject;
    const reference = referenceText(bucket, metadata);
    const owners = type === 'DELETED' ? [] : (metadata.ownerReferences ?? []).map(({ uid }) => uid);
    this.#index(reference, owners);
    if (type === 'DELETED') {
      for (const dependent of this.#dependents.get(metadata.uid) ?? []) this.loop.add(dependent);
      for (const { apiVersion, kind, name } of metadata.ownerReferences ?? []) {
        const owner = this.#registry.findKind(apiVersion, kind);
        if (owner === undefined) continue;
        const namespace = owner.namespaced ? metadata.namespace : undefined;
        this.loop.add(referenceText(owner.storageBucket, { name, namespace }));
      }
    } else if (owners.length > 0 || metadata.deletionTimestamp !== undefined) {
      this.loop.add(reference);
    }
  }

  #index(reference: string, owners: readonly string[]): void {
    for (const uid of this.#owners.get(reference) ?? []) {
      const known = this.#dependents.get(uid);
      known?.delete(reference);
      if (known?.size === 0) this.#dependents.delete(uid);
    }
    if (owners.length === 0) this.#owners.delete(reference);
    else this.#owners.set(reference, owners);
    for (const uid of owners) {
      const known = this.#dependents.get(uid);
      if (known === undefined) this.#dependents.set(uid, new Set([reference]));
      else known.add(reference);
    }
  }

  #sync(reference: string): void {
    const found = this.#resolve(reference);
    if (found === undefined) return;
    const { resource, object } = found;
    const finalizers = object.metadata.finalizers ?? [];
    if (object.metadata.deletionTimestamp !== undefined) {
      if (finalizers.includes(orphanFinalizer)) this.#orphan(resource, object);
      else if (finalizers.includes(foregroundFinalizer)) this.#deleteDependentsFirst(resource, object);
      return;
    }
    this.#collect(resource, object);
  }

  #collect(resource: Resource, object: ApiObject): void {
    const references = object.metadata.ownerReferences ?? [];
    if (references.length === 0) return;
    const present = references.filter((owner) => this.#ownerState(object, owner) !== 'absent');
    const { uid, resourceVersion } = object.metadata;
    if (present.length === 0) {
      this.#delete(resource, object, { preconditions: { uid, resourceVersion }, propagationPolicy: undefined });
      return;
    }
    const waiting = present.every((owner) => this.#ownerState(object, owner) === 'waiting');
    if (waiting) {
      this.#delete(resource, object, { preconditions: { uid, resourceVersion }, propagationPolicy: 'Foreground' });
    } else if (present.length < references.length) {
      this.#setOwners(resource, object, present);
    }
  }

  #delete(
    resource: Resource,
    object: ApiObject,
    options: {
      readonly preconditions: { readonly uid: string; readonly resourceVersion: string };
      readonly propagationPolicy: string | undefined;
    },
  ): void {
    const hasDependents = (this.#dependents.get(object.metadata.uid)?.size ?? 0) > 0;
    const propagationPolicy =
      options.propagationPolicy === 'Foreground' && !hasDependents ? 'Background' : options.propagationPolicy;
    try {
      resource.delete(object.metadata, { ...options, propagationPolicy }, systemContext(this.loop.name, 'delete'));
    } catch (error) {
      // Somebody was quicker; the event of what they did brings the object back here.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  /** 'waiting' is an owner that is deleted in the foreground and kept by this object. */
  #ownerState(object: ApiObject, owner: OwnerReference): 'absent' | 'present' | 'waiting' {
    const definition = this.#ownerDefinition(owner);
    if (definition === undefined) return 'present';
    if (definition.namespaced && object.metadata.namespace === undefined) return 'present';
    const namespace = definition.namespaced ? object.metadata.namespace : undefined;
    const found = this.#registry.resource(definition).find({ name: owner.name, namespace });
    if (found === undefined || found.metadata.uid !== owner.uid) return 'absent';
    const foreground =
      found.metadata.deletionTimestamp !== undefined && found.metadata.finalizers?.includes(foregroundFinalizer);
    return foreground ? 'waiting' : 'present';
  }

  #ownerDefinition({ apiVersion, kind }: OwnerReference) {
    const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
    return this.#registry.all().find((definition) => definition.kind === kind && definition.group === group);
  }

  #deleteDependentsFirst(resource: Resource, owner: ApiObject): void {
    const dependents = this.#dependentsOf(owner);
    for (const dependent of dependents) {
      const { deletionTimestamp } = dependent.object.metadata;
      if (deletionTimestamp === undefined) this.#collect(dependent.resource, dependent.object);
    }
    const blocking = this.#dependentsOf(owner).some(({ object }) =>
      object.metadata.ownerReferences?.some(
        ({ uid, blockOwnerDeletion }) => uid === owner.metadata.uid && blockOwnerDeletion,
      ),
    );
    if (!blocking) this.#dropFinalizer(resource, owner, foregroundFinalizer);
  }

  #orphan(resource: Resource, owner: ApiObject): void {
    for (const { resource: kind, object } of this.#dependentsOf(owner)) {
      const others = (object.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid);
      this.#setOwners(kind, object, others);
    }
    this.#dropFinalizer(resource, owner, orphanFinalizer);
  }

  #setOwners(resource: Resource, object: ApiObject, ownerReferences: readonly OwnerReference[]): void {
    const change = (live: ApiObject): unknown => ({ ...live, metadata: { ...live.metadata, ownerReferences } });
    resource.update(object.metadata, change, systemContext(this.loop.name, 'patch'));
  }

  #dropFinalizer(resource: Resource, object: ApiObject, finalizer: string): void {
    const change = (live: ApiObject): unknown => {
      const finalizers = (live.metadata.finalizers ?? []).filter((name) => name !== finalizer);
      return { ...live, metadata: { ...live.metadata, finalizers } };
    };
    resource.update(object.metadata, change, systemContext(this.loop.name, 'patch'));
  }

  #dependentsOf(owner: ApiObject): readonly { readonly resource: Resource; readonly object: ApiObject }[] {
    const references = [...(this.#dependents.get(owner.metadata.uid) ?? [])];
    return references.map((reference) => this.#resolve(reference)).filter((found) => found !== undefined);
  }

  #resolve(reference: string): { readonly resource: Resource; readonly object: ApiObject } | undefined {
    const { bucket, key } = parseReference(reference);
    const resource = this.#registry.inBucket(bucket);
    const object = resource?.find(key);
    return resource === undefined || object === undefined ? undefined : { resource, object };
  }
}
