import { type Steps, withBreak } from '@kubewright/api/apply';
import { isAlreadyExists } from '@kubewright/api/errors';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import { defaultClassAnnotation } from '../../../registry/strategies/rules/storage-class-annotations.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import { waitsForPod } from '../../objects/volume-claims.js';
import { parseReference, referenceText } from '../../objects/object-reference.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { bestVolume, isMeantFor } from './volume-match.js';

const claimBucket = '/persistentvolumeclaims';
const volumeBucket = '/persistentvolumes';
const boundByController = 'pv.kubernetes.io/bound-by-controller';
const bindCompleted = 'pv.kubernetes.io/bind-completed';
const provisionedBy = 'pv.kubernetes.io/provisioned-by';

/**
 * Binds claims to volumes. If no volume matches a claim with a storage class, the binder creates a volume, as a provisioner does. With
 * `WaitForFirstConsumer`, the binder waits for a Pod that uses the claim.
 */
export class VolumeBinder implements Controller {
  readonly name = 'persistent-volume-binder';
  readonly #setting: ControllerSetting;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket, object: known }: FeedEvent, queue: KeyQueue): void {
    if (bucket === claimBucket) {
      if (type !== 'DELETED') queue.add(referenceText(bucket, known.metadata));
      const volume = stringAt(known, 'spec', 'volumeName');
      if (volume !== '') queue.add(referenceText(volumeBucket, { name: volume }));
    } else if (bucket === volumeBucket) {
      queue.add(referenceText(bucket, known.metadata));
      this.#addClaims(known, type === 'DELETED', queue);
    } else if (bucket === 'storage.k8s.io/storageclasses') {
      for (const claim of this.#unbound()) queue.add(referenceText(claimBucket, claim.metadata));
    } else if (bucket === '/pods' && type === 'ADDED') {
      for (const volume of objectsAt(known, 'spec', 'volumes')) {
        const name = stringAt(volume, 'persistentVolumeClaim', 'claimName');
        if (name !== '') queue.add(referenceText(claimBucket, { name, namespace: known.metadata.namespace }));
      }
    }
  }

  *sync(reference: string): Steps<void> {
    const { bucket, key } = parseReference(reference);
    if (bucket === claimBucket) {
      const claim = this.#claims.find(key);
      if (claim !== undefined) yield* this.#syncClaim(claim);
    } else {
      const volume = this.#volumes.find(key);
      if (volume !== undefined) yield* this.#syncVolume(volume);
    }
  }

  *#syncClaim(claim: ApiObject): Steps<void> {
    const name = stringAt(claim, 'spec', 'volumeName');
    if (claim.metadata.annotations?.[bindCompleted] !== undefined) {
      yield* this.#keepBound(claim, name);
      return;
    }
    if (claim.metadata.deletionTimestamp !== undefined) return;
    if (name !== '') {
      const volume = this.#volumes.find({ name });
      const free =
        volume !== undefined && (objectAt(volume, 'spec')['claimRef'] === undefined || isMeantFor(volume, claim));
      if (volume !== undefined && free) yield* this.#bind(claim, volume);
      return;
    }
    const waits = waitsForPod(this.#setting.registry, claim);
    const volumes = waits ? [] : this.#setting.index.inNamespace(volumeBucket, undefined);
    const volume = yield* bestVolume(claim, volumes);
    if (volume !== undefined) yield* this.#bind(claim, volume);
    else yield* this.#provision(claim, waits);
  }

  *#keepBound(claim: ApiObject, name: string): Steps<void> {
    const volume = this.#volumes.find({ name });
    if (volume !== undefined) {
      if (isMeantFor(volume, claim)) yield* this.#bind(claim, volume);
      return;
    }
    if (stringAt(claim, 'status', 'phase') === 'Lost') return;
    yield* this.#setClaimStatus(claim, { phase: 'Lost' });
    const message = 'Bound claim has lost its PersistentVolume. Data on the volume is lost!';
    this.#say(claim, 'Warning', 'ClaimLost', message);
  }

  /**
   * Binds the claim and the volume to each other in four writes, as Kubernetes does. Skips completed writes. A write fails with a conflict
   * if the claim or the volume has changed since it was read.
   */
  *#bind(claim: ApiObject, volume: ApiObject): Steps<void> {
    const { name, namespace, uid, resourceVersion } = claim.metadata;
    const claimRef = { kind: 'PersistentVolumeClaim', namespace, name, uid, apiVersion: 'v1', resourceVersion };
    const context = controllerContext(this.name, 'update');
    let tied = volume;
    if (stringAt(volume, 'spec', 'claimRef', 'uid') !== uid) {
      const selected = objectAt(volume, 'spec')['claimRef'] === undefined;
      const change = withBreak(() =>
        changed(volume, { spec: { claimRef }, annotations: selected ? [boundByController] : [] }),
      );
      tied = yield* this.#volumes.updateSteps(volume.metadata, change, context);
    }
    yield* this.#setPhase(tied, 'Bound');
    let completed = claim;
    if (claim.metadata.annotations?.[bindCompleted] === undefined) {
      const selected = stringAt(claim, 'spec', 'volumeName') === '';
      const annotations = selected ? [boundByController, bindCompleted] : [bindCompleted];
      const change = withBreak(() => changed(claim, { spec: { volumeName: volume.metadata.name }, annotations }));
      completed = yield* this.#claims.updateSteps(claim.metadata, change, context);
    }
    const { accessModes, capacity } = objectAt(volume, 'spec');
    yield* this.#setClaimStatus(completed, { phase: 'Bound', accessModes, capacity });
  }

  *#provision(claim: ApiObject, waits: boolean): Steps<void> {
    const className = stringAt(claim, 'spec', 'storageClassName');
    if (objectAt(claim, 'spec')['storageClassName'] === undefined && (yield* this.#giveDefaultClass(claim))) return;
    if (className === '') {
      const message = 'no persistent volumes available for this claim and no storage class is set';
      this.#say(claim, 'Normal', 'FailedBinding', message);
      return;
    }
    const storageClass = this.#setting.registry.builtIn('storage.k8s.io/v1/storageclasses').find({ name: className });
    if (storageClass === undefined) {
      this.#say(claim, 'Warning', 'ProvisioningFailed', `storageclass.storage.k8s.io "${className}" not found`);
      return;
    }
    if (waits && !(yield* this.#isDesired(claim))) {
      const message = 'waiting for first consumer to be created before binding';
      this.#say(claim, 'Normal', 'WaitForFirstConsumer', message);
      return;
    }
    const provisioner = stringAt(storageClass, 'provisioner');
    if (provisioner === 'kubernetes.io/no-provisioner') return;
    try {
      const made = volumeFor(claim, storageClass);
      const volume = yield* this.#volumes.createSteps(made, controllerContext(this.name, 'create'));
      const text = `Successfully provisioned volume ${volume.metadata.name}`;
      const source = { component: provisioner };
      this.#setting.events.record(claim, { type: 'Normal', reason: 'ProvisioningSucceeded', message: text }, source);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }

  /**
   * Sets the default StorageClass of a claim without a class, even if the StorageClass is newer than the claim. Returns whether a default
   * StorageClass exists.
   */
  *#giveDefaultClass(claim: ApiObject): Steps<boolean> {
    const classes = this.#setting.registry.store.list('storage.k8s.io/storageclasses');
    const selected = classes.find(({ metadata }) => metadata.annotations?.[defaultClassAnnotation] === 'true');
    if (selected === undefined) return false;
    const spec = { storageClassName: selected.metadata.name };
    const change = withBreak(() => changed(claim, { spec, annotations: [] }));
    yield* this.#claims.updateSteps(claim.metadata, change, controllerContext(this.name, 'update'));
    return true;
  }

  *#syncVolume(volume: ApiObject): Steps<void> {
    const reference = objectAt(volume, 'spec', 'claimRef');
    const { name } = volume.metadata;
    const uid = stringAt(reference, 'uid');
    if (uid === '') {
      yield* this.#setPhase(volume, 'Available');
      return;
    }
    const key = { name: stringAt(reference, 'name'), namespace: stringAt(reference, 'namespace') };
    const claim = this.#claims.find(key);
    if (claim?.metadata.uid === uid) {
      if (claim.metadata.annotations?.[bindCompleted] === undefined) yield* this.#syncClaim(claim);
      return;
    }
    const phase = stringAt(volume, 'status', 'phase');
    const released = phase === 'Bound' || phase === 'Available' ? yield* this.#setPhase(volume, 'Released') : volume;
    const policy = stringAt(volume, 'spec', 'persistentVolumeReclaimPolicy');
    if (policy !== 'Delete' || volume.metadata.deletionTimestamp !== undefined) return;
    const preconditions = { uid: volume.metadata.uid, resourceVersion: released.metadata.resourceVersion };
    yield* this.#volumes.deleteSteps({ name }, { preconditions }, controllerContext(this.name, 'delete'));
  }

  *#setPhase(volume: ApiObject, phase: string): Steps<ApiObject> {
    if (stringAt(volume, 'status', 'phase') === phase) return volume;
    const change = withBreak(() => ({ ...volume, status: { ...objectAt(volume, 'status'), phase } }));
    return yield* this.#volumes.updateSteps(volume.metadata, change, controllerContext(this.name, 'update', 'status'));
  }

  *#setClaimStatus(claim: ApiObject, status: JsonDraft): Steps<void> {
    const change = withBreak(() => ({ ...claim, status: { ...objectAt(claim, 'status'), ...status } }));
    yield* this.#claims.updateSteps(claim.metadata, change, controllerContext(this.name, 'update', 'status'));
  }

  *#isDesired(claim: ApiObject): Steps<boolean> {
    const { name, namespace } = claim.metadata;
    for (const pod of this.#setting.index.inNamespace('/pods', namespace)) {
      const volumes = objectsAt(pod, 'spec', 'volumes');
      if (volumes.some((volume) => stringAt(volume, 'persistentVolumeClaim', 'claimName') === name)) return true;
      yield;
    }
    return false;
  }

  #addClaims(volume: ApiObject, deleted: boolean, queue: KeyQueue): void {
    const { name, namespace } = objectAt(volume, 'spec', 'claimRef');
    if (typeof name === 'string' && typeof namespace === 'string') {
      queue.add(referenceText(claimBucket, { name, namespace }));
    } else if (!deleted) {
      for (const claim of this.#unbound()) queue.add(referenceText(claimBucket, claim.metadata));
    }
  }

  #unbound(): readonly ApiObject[] {
    return this.#setting.index
      .all(claimBucket)
      .filter((claim) => claim.metadata.annotations?.[bindCompleted] === undefined);
  }

  #say(claim: ApiObject, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#setting.events.record(claim, { type, reason, message }, { component: 'persistentvolume-controller' });
  }

  get #claims() {
    return this.#setting.registry.builtIn('/v1/persistentvolumeclaims');
  }

  get #volumes() {
    return this.#setting.registry.builtIn('/v1/persistentvolumes');
  }
}

function changed(
  read: ApiObject,
  { spec, annotations }: { readonly spec: JsonDraft; readonly annotations: readonly string[] },
): object {
  const { metadata } = read;
  const added = Object.fromEntries(annotations.map((name) => [name, 'yes']));
  return {
    ...read,
    metadata: annotations.length === 0 ? metadata : { ...metadata, annotations: { ...metadata.annotations, ...added } },
    spec: { ...objectAt(read, 'spec'), ...spec },
  };
}

/** Returns the volume that the provisioner creates for a claim. */
function volumeFor(claim: ApiObject, storageClass: ApiObject): object {
  const { name, namespace, uid, resourceVersion } = claim.metadata;
  const { accessModes, volumeMode } = objectAt(claim, 'spec');
  const claimRef = { kind: 'PersistentVolumeClaim', namespace, name, uid, apiVersion: 'v1', resourceVersion };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `pvc-${uid}`, annotations: { [provisionedBy]: stringAt(storageClass, 'provisioner') } },
    spec: {
      accessModes,
      capacity: { storage: stringAt(claim, 'spec', 'resources', 'requests', 'storage') },
      claimRef,
      hostPath: { path: `/volumes/${namespace}/${name}` },
      persistentVolumeReclaimPolicy: stringAt(storageClass, 'reclaimPolicy') || 'Delete',
      storageClassName: storageClass.metadata.name,
      ...(volumeMode === undefined ? {} : { volumeMode }),
    },
  };
}
