import { type Steps, withBreak } from '@kubewright/api/apply';
import { ApiError, isNotFound } from '@kubewright/api/errors';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { draftOf, madeAt } from '../../registry/objects/json-object.js';
import { timestamp } from '../../registry/metadata/metadata-rules.js';
import { internalError } from '../../registry/requests/status-errors.js';
import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';
import type { Controller, ControllerSetting, KeyQueue } from '../work/controller.js';
import { controllerContext } from '../work/controller-context.js';
import { namespaceConditions, type Remainder } from './namespace-conditions.js';
import type { FeedEvent } from '../work/resource-feed.js';

/**
 * Deletes the content of a namespace that is being deleted, Pods first, and removes the finalizer when the namespace is empty. The
 * conditions of the namespace report the remaining content.
 */
export class NamespaceController implements Controller {
  readonly name = 'namespace-controller';
  readonly concurrency = 10;
  readonly #setting: ControllerSetting;
  readonly #terminating = new Set<string>();

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    const { name, namespace, deletionTimestamp } = object.metadata;
    if (bucket === '/namespaces') {
      if (type === 'DELETED') this.#terminating.delete(name);
      else if (deletionTimestamp !== undefined) {
        this.#terminating.add(name);
        queue.add(name);
      }
    } else if (namespace !== undefined && this.#terminating.has(namespace)) {
      queue.add(namespace);
    }
  }

  *sync(name: string): Steps<void> {
    const { registry } = this.#setting;
    const namespaces = registry.builtIn('/v1/namespaces');
    const namespace = namespaces.find({ name });
    if (namespace?.metadata.deletionTimestamp === undefined) return;
    const { left, isEmpty } = yield* this.#empty(name);
    const current = namespaces.find({ name });
    if (current?.metadata.uid !== namespace.metadata.uid) return;
    const now = timestamp(registry.clock.now());
    const marked = yield* namespaces.updateSteps(
      { name },
      withBreak(() => withConditions(current, left, now)),
      controllerContext(this.name, 'update', 'status'),
    );
    // If a webhook or a policy has refused a deletion, only this error causes another attempt.
    if (left.errors.length > 0) throw internalError(left.errors.join('; '));
    if (!isEmpty) return;
    // If the namespace has no finalizers, the status update has already deleted the namespace.
    if (namespaces.find({ name })?.metadata.uid !== marked.metadata.uid) return;
    const released = withBreak(() => withoutFinalizer(marked));
    yield* namespaces.updateSteps({ name }, released, controllerContext(this.name, 'update', 'finalize'));
  }

  /** Deletes the objects in the namespace, one in each step. Returns the remaining content, and whether the namespace is empty. */
  *#empty(namespace: string): Steps<{ readonly left: Remainder; readonly isEmpty: boolean }> {
    const namespaced = this.#setting.registry.stored().filter((definition) => definition.namespaced);
    const isPods = ({ storageBucket }: ResourceDefinition): boolean => storageBucket === '/pods';
    const pods = emptyRemainder();
    for (const definition of namespaced.filter(isPods)) yield* this.#deleteAll(definition, namespace, pods);
    // Other objects are deleted after the Pods that use them. As in Kubernetes, the conditions do not report remaining content before all
    // Pods are deleted.
    if (pods.objects.size > 0) return { left: { ...emptyRemainder(), errors: pods.errors }, isEmpty: false };
    const left = { ...emptyRemainder(), errors: pods.errors };
    for (const definition of namespaced) if (!isPods(definition)) yield* this.#deleteAll(definition, namespace, left);
    return { left, isEmpty: left.objects.size === 0 && left.errors.length === 0 };
  }

  *#deleteAll(definition: ResourceDefinition, namespace: string, left: ReturnType<typeof emptyRemainder>): Steps<void> {
    const { store } = this.#setting.registry;
    const { storageBucket, group, plural } = definition;
    const present = store.list(storageBucket, { namespace });
    if (present.length === 0) return;
    const errors: string[] = [];
    for (const stored of present) {
      const { metadata } = stored;
      if (metadata.deletionTimestamp !== undefined) continue;
      const resource = this.#setting.registry.asStored(definition, stored);
      try {
        yield* resource.deleteSteps(metadata, options, controllerContext(this.name, 'deletecollection'));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const { message } = error;
        if (!isNotFound(error)) errors.push(message);
      }
      yield;
    }
    // Kubernetes deletes the objects of a resource with one request, which reports the first error and no remaining objects.
    const [error] = errors;
    if (error !== undefined) {
      left.errors.push(error);
      return;
    }
    const remaining = store.list(storageBucket, { namespace });
    if (remaining.length === 0) return;
    left.objects.set(`${plural}.${group}`, remaining.length);
    for (const { metadata } of remaining) {
      for (const finalizer of metadata.finalizers ?? []) {
        left.finalizers.set(finalizer, (left.finalizers.get(finalizer) ?? 0) + 1);
      }
    }
  }
}

const options = { propagationPolicy: 'Background' };

function emptyRemainder() {
  return { objects: new Map<string, number>(), finalizers: new Map<string, number>(), errors: [] as string[] };
}

function withConditions(live: ApiObject, left: Remainder, now: string): unknown {
  const next = draftOf(live);
  madeAt(next, 'status')['conditions'] = namespaceConditions(live, left, now);
  return next;
}

function withoutFinalizer(live: ApiObject): unknown {
  const next = draftOf(live);
  const spec = madeAt(next, 'spec');
  const finalizers = Array.isArray(spec['finalizers']) ? spec['finalizers'] : [];
  spec['finalizers'] = finalizers.filter((finalizer) => finalizer !== 'kubernetes');
  return next;
}
