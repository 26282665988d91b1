import { type Steps, withBreak } from '@kubewright/api/apply';
import { isConflict, isNotFound } from '@kubewright/api/errors';
import { foregroundFinalizer, orphanFinalizer } from '../../registry/metadata/deletion.js';
import type { ApiObject, OwnerReference } from '../../registry/objects/api-object.js';
import type { Resource } from '../../registry/resource.js';
import type { Controller, ControllerSetting, KeyQueue } from '../work/controller.js';
import { controllerContext } from '../work/controller-context.js';
import { DependencyGraph } from './dependency-graph.js';
import { withOwners } from '../objects/owners.js';
import { parseReference, referenceText } from '../objects/object-reference.js';
import type { FeedEvent } from '../work/resource-feed.js';

interface Found {
  readonly resource: Resource;
  readonly object: ApiObject;
}

/**
 * Deletes objects whose owners no longer exist. Compares owners by UID, because another object can have the same name. Owners of a kind
 * that the server does not serve are assumed to exist.
 *
 * An owner that is being deleted can have one of two finalizers. With foregroundDeletion, its dependents are deleted before the owner. With
 * orphan, the owner reference is removed from its dependents.
 */
export class GarbageCollector implements Controller {
  readonly name = 'generic-garbage-collector';
  readonly concurrency = 20;
  readonly #setting: ControllerSetting;
  readonly #graph = new DependencyGraph();

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket, object: { metadata } }: FeedEvent, queue: KeyQueue): void {
    const reference = referenceText(bucket, metadata);
    if (type === 'DELETED') {
      this.#graph.delete(bucket, metadata);
      for (const dependent of this.#graph.dependentsOf(metadata.uid)) queue.add(dependent);
      for (const owner of metadata.ownerReferences ?? []) this.#addOwner(owner, metadata.namespace, queue);
      return;
    }
    const former = this.#graph.set(bucket, metadata);
    // Dependents can be created before their owner.
    if (type === 'ADDED') for (const dependent of this.#graph.dependentsOf(metadata.uid)) queue.add(dependent);
    if (metadata.deletionTimestamp !== undefined) {
      const waits = metadata.finalizers?.some((name) => name === foregroundFinalizer || name === orphanFinalizer);
      if (waits === true) queue.add(reference);
    } else if (former !== undefined && metadata.ownerReferences !== undefined) queue.add(reference);
    // This object may no longer block the deletion of its former owners.
    for (const owner of former ?? []) this.#addOwner(owner, metadata.namespace, queue);
  }

  *sync(reference: string, queue: KeyQueue): Steps<void> {
    const found = this.#resolve(reference);
    if (found === undefined) return;
    const { resource, object } = found;
    const finalizers = object.metadata.finalizers ?? [];
    if (object.metadata.deletionTimestamp !== undefined) {
      if (finalizers.includes(orphanFinalizer)) yield* this.#orphan(resource, object);
      else if (finalizers.includes(foregroundFinalizer)) yield* this.#deleteDependentsFirst(resource, object, queue);
      return;
    }
    yield* this.#collect(resource, object);
  }

  #addOwner({ apiVersion, kind, name }: OwnerReference, namespace: string | undefined, queue: KeyQueue): void {
    const owner = this.#setting.registry.findKind(apiVersion, kind);
    if (owner === undefined) return;
    queue.add(referenceText(owner.storageBucket, { name, namespace: owner.namespaced ? namespace : undefined }));
  }

  *#collect(resource: Resource, object: ApiObject): Steps<void> {
    const references = object.metadata.ownerReferences ?? [];
    if (references.length === 0) return;
    for (const owner of references) this.#reportForeign(object, owner);
    const states = references.map((owner) => this.#ownerState(object, owner));
    if (states.includes('unknown')) return;
    if (states.includes('present')) {
      if (!states.every((state) => state === 'present')) {
        yield* this.#setOwners(
          resource,
          object,
          references.filter((_, at) => states[at] === 'present'),
        );
      }
      return;
    }
    const dependents = this.#dependentsOf(object);
    if (states.includes('waiting') && dependents.length > 0) {
      const circular = dependents.some((dependent) => waitsForDependents(dependent.object));
      const current = circular ? yield* this.#setOwners(resource, object, references.map(unblocking)) : object;
      yield* this.#delete(resource, current, 'Foreground');
    } else {
      yield* this.#delete(resource, object, policyOf(object));
    }
  }

  *#delete(resource: Resource, object: ApiObject, propagationPolicy: string): Steps<void> {
    const { uid, resourceVersion } = object.metadata;
    const options = { preconditions: { uid, resourceVersion }, propagationPolicy };
    try {
      yield* resource.deleteSteps(object.metadata, options, controllerContext(this.name, 'delete'));
    } catch (error) {
      // Another client changed the object first. The event of that change queues the object again.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  /**
   * Returns the state of an owner. 'waiting' means that the owner is being deleted in the foreground and waits for its dependents.
   * 'unknown' means that the owner cannot be read: its kind is not served, or the owner is namespaced and the object is not.
   */
  #ownerState(object: ApiObject, owner: OwnerReference): 'absent' | 'present' | 'unknown' | 'waiting' {
    const { registry } = this.#setting;
    const definition = registry.findKind(owner.apiVersion, owner.kind);
    if (definition === undefined) return 'unknown';
    if (definition.namespaced && object.metadata.namespace === undefined) return 'unknown';
    const namespace = definition.namespaced ? object.metadata.namespace : undefined;
    const found = registry.store.get(definition.storageBucket, { name: owner.name, namespace });
    if (found === undefined || found.metadata.uid !== owner.uid) return 'absent';
    return waitsForDependents(found) ? 'waiting' : 'present';
  }

  #reportForeign(object: ApiObject, { apiVersion, kind, name, uid }: OwnerReference): void {
    const namespace = object.metadata.namespace ?? '';
    if (!this.#graph.livesElsewhere(uid, object.metadata.namespace)) return;
    const owner = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
    const message = `ownerRef ${owner} does not exist in namespace "${namespace}"`;
    const text = { type: 'Warning', reason: 'OwnerRefInvalidNamespace', message } as const;
    this.#setting.events.record(object, text, { component: 'garbage-collector-controller' });
  }

  /**
   * Queues the dependents, so that a webhook that refuses the deletion of one dependent does not block the deletion of the other
   * dependents. The deletion of the last dependent queues the owner again. If no dependent blocks the deletion of the owner, removes the
   * finalizer from the owner.
   */
  *#deleteDependentsFirst(resource: Resource, owner: ApiObject, queue: KeyQueue): Steps<void> {
    for (const reference of this.#graph.dependentsOf(owner.metadata.uid)) {
      const dependent = this.#resolve(reference);
      if (dependent !== undefined && dependent.object.metadata.deletionTimestamp === undefined) queue.add(reference);
    }
    yield;
    if (!this.#isUnchanged(resource, owner)) return;
    const blocking = this.#dependentsOf(owner).some(({ object }) =>
      object.metadata.ownerReferences?.some(
        ({ uid, blockOwnerDeletion }) => uid === owner.metadata.uid && blockOwnerDeletion,
      ),
    );
    if (!blocking) yield* this.#dropFinalizer(resource, owner, foregroundFinalizer);
  }

  *#orphan(resource: Resource, owner: ApiObject): Steps<void> {
    const errors: unknown[] = [];
    for (const reference of this.#graph.dependentsOf(owner.metadata.uid)) {
      const dependent = this.#resolve(reference);
      if (dependent === undefined) continue;
      const { resource: kind, object } = dependent;
      const others = (object.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid);
      try {
        yield* this.#setOwners(kind, object, others);
      } catch (error) {
        errors.push(error);
      }
      yield;
    }
    if (errors.length > 0) throw errors[0];
    if (!this.#isUnchanged(resource, owner)) return;
    yield* this.#dropFinalizer(resource, owner, orphanFinalizer);
  }

  /**
   * Returns whether the owner is unchanged since the first step. If a request has changed the owner, the event of this change queues
   * another sync.
   */
  #isUnchanged(resource: Resource, owner: ApiObject): boolean {
    return resource.find(owner.metadata)?.metadata.resourceVersion === owner.metadata.resourceVersion;
  }

  #setOwners(resource: Resource, object: ApiObject, ownerReferences: readonly OwnerReference[]): Steps<ApiObject> {
    const change = withBreak(() => withOwners(object, ownerReferences));
    return resource.updateSteps(object.metadata, change, controllerContext(this.name, 'patch'));
  }

  #dropFinalizer(resource: Resource, object: ApiObject, finalizer: string): Steps<ApiObject> {
    const change = withBreak(() => {
      const finalizers = (object.metadata.finalizers ?? []).filter((name) => name !== finalizer);
      return { ...object, metadata: { ...object.metadata, finalizers } };
    });
    return resource.updateSteps(object.metadata, change, controllerContext(this.name, 'patch'));
  }

  #dependentsOf(owner: ApiObject): readonly Found[] {
    const references = this.#graph.dependentsOf(owner.metadata.uid);
    return references.map((reference) => this.#resolve(reference)).filter((found) => found !== undefined);
  }

  #resolve(reference: string): Found | undefined {
    const { bucket, key } = parseReference(reference);
    const { registry } = this.#setting;
    const definition = registry.inBucket(bucket)?.definition;
    const stored = registry.store.get(bucket, key);
    if (definition === undefined || stored === undefined) return undefined;
    const resource = registry.asStored(definition, stored);
    return { resource, object: resource.present(stored) };
  }
}

function waitsForDependents({ metadata }: ApiObject): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(foregroundFinalizer) === true;
}

function unblocking(owner: OwnerReference): OwnerReference {
  return { ...owner, blockOwnerDeletion: false };
}

/** Returns the propagation policy that the finalizers of an object request, or 'Background' if no finalizer requests a policy. */
function policyOf({ metadata: { finalizers = [] } }: ApiObject): string {
  if (finalizers.includes(orphanFinalizer)) return 'Orphan';
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background';
}
