import type { Steps } from '@kubewright/api/apply';
import { isNotFound } from '@kubewright/api/errors';
import {
  type DefinitionCondition,
  isTrue,
  setCondition,
} from '../../registry/strategies/apiextensions/custom-definition-names.js';
import { storageDefinition } from '../../registry/custom/custom-definitions.js';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { copyJson, objectAt, stringAt } from '../../registry/objects/json-object.js';
import { timestamp } from '../../registry/metadata/metadata-rules.js';
import { customResourceDefinitionBucket } from '../../registry/registry.js';
import { systemContext } from '../../registry/requests/request-context.js';
import { cleanupFinalizer } from '../../registry/strategies/apiextensions/cleanup-finalizer.js';
import type { Controller, ControllerSetting, KeyQueue } from '../work/controller.js';
import { finalizersWithout, withFinalizers } from '../objects/owners.js';
import type { FeedEvent } from '../work/resource-feed.js';

/** Deletes the objects of a CustomResourceDefinition that is being deleted, and then removes the finalizer from the definition. */
export class CustomResourceCleanup implements Controller {
  readonly name = 'custom-resource-cleanup';
  readonly #setting: ControllerSetting;
  /** The names of definitions that are being deleted, by the bucket of their objects. */
  readonly #terminating = new Map<string, string>();

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket, object: crd }: FeedEvent, queue: KeyQueue): void {
    if (bucket === customResourceDefinitionBucket) {
      if (type === 'DELETED') this.#terminating.delete(bucketOf(crd));
      else if (crd.metadata.deletionTimestamp !== undefined) {
        this.#terminating.set(bucketOf(crd), crd.metadata.name);
        queue.add(crd.metadata.name);
      }
    } else if (type === 'DELETED') {
      const name = this.#terminating.get(bucket);
      if (name !== undefined) queue.add(name);
    }
  }

  *sync(name: string): Steps<void> {
    const crd = this.#setting.registry.builtIn(path).find({ name });
    if (crd?.metadata.deletionTimestamp === undefined) return;
    if (!(crd.metadata.finalizers ?? []).includes(cleanupFinalizer)) return;
    yield* this.#update(crd, inProgress);
    const established = isTrue(crd, 'Established');
    if (established && !(yield* this.#emptied(crd))) return;
    yield* this.#update(crd, established ? completed : neverEstablished, withoutFinalizer);
  }

  /** Deletes all objects of a definition, one in each step. Returns whether no object remains. */
  *#emptied(crd: ApiObject): Steps<boolean> {
    const { registry } = this.#setting;
    const bucket = bucketOf(crd);
    const resource = registry.resource(storageDefinition(crd));
    for (const { metadata } of registry.store.list(bucket)) {
      if (metadata.deletionTimestamp !== undefined) continue;
      try {
        resource.delete(metadata, {}, systemContext(this.name, 'delete'));
      } catch (error) {
        // A client has deleted the object since the first step.
        if (!isNotFound(error)) throw error;
      }
      yield;
    }
    return registry.store.list(bucket).length === 0;
  }

  /** Writes the condition and the result of `change` in one update. Does not change a definition that was recreated with another UID. */
  *#update(crd: ApiObject, condition: DefinitionCondition, change = (live: ApiObject): ApiObject => live): Steps<void> {
    const { registry } = this.#setting;
    const { name, uid } = crd.metadata;
    const now = timestamp(registry.clock.now());
    const reported = (live: ApiObject): ApiObject => {
      if (live.metadata.uid !== uid) return live;
      const status = copyJson(objectAt(live, 'status'));
      setCondition(status, condition, now);
      return { ...change(live), status };
    };
    yield* registry.builtIn(path).replaceSteps({ name }, reported, systemContext('kube-apiserver', 'update', 'status'));
  }
}

const path = 'apiextensions.k8s.io/v1/customresourcedefinitions';
const inProgress: DefinitionCondition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};
const completed: DefinitionCondition = {
  type: 'Terminating',
  status: 'False',
  reason: 'InstanceDeletionCompleted',
  message: 'removed all instances',
};
const neverEstablished: DefinitionCondition = {
  type: 'Terminating',
  status: 'False',
  reason: 'NeverEstablished',
  message: 'resource was never established',
};

function withoutFinalizer(live: ApiObject): ApiObject {
  return withFinalizers(live, finalizersWithout(live, cleanupFinalizer));
}

function bucketOf(crd: ApiObject): string {
  return `${stringAt(crd, 'spec', 'group')}/${stringAt(crd, 'spec', 'names', 'plural')}`;
}
