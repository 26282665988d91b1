import { type Steps, withBreak } from '@kubewright/api/apply';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { stringAt } from '../../registry/objects/json-object.js';
import type { Controller, ControllerSetting, KeyQueue } from '../work/controller.js';
import { controllerContext } from '../work/controller-context.js';
import { claimNames } from '../objects/volume-claims.js';
import { AttributesClassUsers } from './attributes-class-users.js';
import { parseReference, referenceText } from '../objects/object-reference.js';
import { finalizersWithout, withFinalizers } from '../objects/owners.js';
import type { FeedEvent } from '../work/resource-feed.js';

const claims = '/persistentvolumeclaims';
const volumes = '/persistentvolumes';
const classes = 'storage.k8s.io/volumeattributesclasses';
const guarded: readonly string[] = [claims, volumes, classes];

/**
 * Removes the protection finalizer from an object that is being deleted and is not used. A claim is used while a scheduled Pod uses the
 * claim, a volume while the volume is bound, and a VolumeAttributesClass while a claim or a volume names the class.
 */
export class VolumeProtection implements Controller {
  readonly name = 'pvc-protection-controller';
  readonly #setting: ControllerSetting;
  readonly #classUsers = new AttributesClassUsers();

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe(event: FeedEvent, queue: KeyQueue): void {
    const { bucket, object } = event;
    const { metadata } = object;
    if (guarded.includes(bucket) && metadata.deletionTimestamp !== undefined) {
      queue.add(referenceText(bucket, metadata));
    }
    if (bucket === claims || bucket === volumes) {
      for (const name of this.#classUsers.observe(event)) queue.add(referenceText(classes, { name }));
    }
    if (bucket !== '/pods') return;
    for (const name of claimNames(object)) {
      const claim = this.#setting.registry
        .builtIn('/v1/persistentvolumeclaims')
        .find({ name, namespace: metadata.namespace });
      if (claim?.metadata.deletionTimestamp !== undefined) queue.add(referenceText(claims, claim.metadata));
    }
  }

  *sync(reference: string): Steps<void> {
    const { bucket, key } = parseReference(reference);
    const resource = this.#setting.registry.inBucket(bucket);
    const finalizer = resource?.definition.strategy.protectionFinalizer;
    const object = resource?.find(key);
    if (resource === undefined || object?.metadata.deletionTimestamp === undefined || finalizer === undefined) return;
    if (object.metadata.finalizers?.includes(finalizer) !== true || this.#isUsed(bucket, object)) return;
    const change = withBreak(() => withFinalizers(object, finalizersWithout(object, finalizer)));
    yield* resource.updateSteps(key, change, controllerContext(this.name, 'update'));
  }

  #isUsed(bucket: string, object: ApiObject): boolean {
    if (bucket === classes) return this.#classUsers.isUsed(object.metadata.name);
    if (bucket === volumes) return stringAt(object, 'status', 'phase') === 'Bound';
    const pods = this.#setting.index.inNamespace('/pods', object.metadata.namespace);
    return pods.some(
      (pod) => stringAt(pod, 'spec', 'nodeName') !== '' && claimNames(pod).includes(object.metadata.name),
    );
  }
}
