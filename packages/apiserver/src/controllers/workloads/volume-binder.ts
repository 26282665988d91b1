import { isAlreadyExists } from '@kubewright/api/errors';
import {
  type ApiObject,
  copyJson,
  type JsonDraft,
  madeAt,
  objectAt,
  objectsAt,
  stringAt,
} from '../../registry/json-object.js';
import type { Controller, ControllerSetting, KeyQueue } from '../controller.js';
import { controllerContext } from '../controller-context.js';
import { parseReference, referenceText } from '../object-reference.js';
import type { FeedEvent } from '../resource-feed.js';
import { bestVolume, isMeantFor } from './volume-match.js';

const claimBucket = '/persistentvolumeclaims';
const volumeBucket = '/persistentvolumes';
const boundByController = 'pv.kubernetes.io/bound-by-controller';
const bindCompleted = 'pv.kubernetes.io/bind-completed';
const defaultClass = 'storageclass.kubernetes.io/is-default-class';
const provisionedBy = 'pv.kubernetes.io/provisioned-by';

/**
 * Binds claims to volumes. A claim of a storage class for which no volume suits gets one made, as in a cluster with a
 * provisioner; with the class's WaitForFirstConsumer when a Pod is there that wants it.
 */
export class VolumeBinder implements Controller {
  readonly name = 'persistent-volume-binder';
  readonly #setting: ControllerSetting;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    const known = object as unknown as ApiObject;
    if (bucket === claimBucket) {
      if (type !== 'DELETED') queue.add(referenceText(bucket, object.metadata));
      const volume = stringAt(known, 'spec', 'volumeName');
      if (volume !== '') queue.add(referenceText(volumeBucket, { name: volume }));
    } else if (bucket === volumeBucket) {
      queue.add(referenceText(bucket, object.metadata));
      this.#addClaims(known, type === 'DELETED', queue);
    } else if (bucket === 'storage.k8s.io/storageclasses') {
      for (const claim of this.#unbound()) queue.add(referenceText(claimBucket, claim.metadata));
    } else if (bucket === '/pods' && type === 'ADDED') {
      for (const volume of objectsAt(known, 'spec', 'volumes')) {
        const name = stringAt(volume, 'persistentVolumeClaim', 'claimName');
        if (name !== '') queue.add(referenceText(claimBucket, { name, namespace: object.metadata.namespace }));
      }
    }
  }

  sync(reference: string): void {
    const { bucket, key } = parseReference(reference);
    if (bucket === claimBucket) {
      const claim = this.#claims.find(key);
      if (claim !== undefined) this.#syncClaim(claim);
    } else {
      const volume = this.#volumes.find(key);
      if (volume !== undefined) this.#syncVolume(volume);
    }
  }

  #syncClaim(claim: ApiObject): void {
    const name = stringAt(claim, 'spec', 'volumeName');
    if (claim.metadata.annotations?.[bindCompleted] !== undefined) {
      this.#keepBound(claim, name);
      return;
    }
    if (claim.metadata.deletionTimestamp !== undefined) return;
    if (name !== '') {
      const volume = this.#volumes.find({ name });
      const free =
        volume !== undefined && (objectAt(volume, 'spec')['claimRef'] === undefined || isMeantFor(volume, claim));
      if (volume !== undefined && free) this.#bind(claim, volume);
      return;
    }
    const waits = this.#waitsForPod(claim);
    const volume = waits ? undefined : bestVolume(claim, this.#setting.index.inNamespace(volumeBucket, undefined));
    if (volume !== undefined) this.#bind(claim, volume);
    else this.#provision(claim, waits);
  }

  #keepBound(claim: ApiObject, name: string): void {
    const volume = this.#volumes.find({ name });
    if (volume !== undefined) {
      if (isMeantFor(volume, claim)) this.#bind(claim, volume);
      return;
    }
    if (stringAt(claim, 'status', 'phase') === 'Lost') return;
    this.#setClaimStatus(claim, { phase: 'Lost' });
    const message = 'Bound claim has lost its PersistentVolume. Data on the volume is lost!';
    this.#say(claim, 'Warning', 'ClaimLost', message);
  }

  /** Ties claim and volume to each other, in four writes as a real cluster does; what is done already is left alone. */
  #bind(claim: ApiObject, volume: ApiObject): void {
    const { name, namespace, uid, resourceVersion } = claim.metadata;
    const reference = { kind: 'PersistentVolumeClaim', namespace, name, uid, apiVersion: 'v1', resourceVersion };
    if (stringAt(volume, 'spec', 'claimRef', 'uid') !== uid) {
      const chosen = objectAt(volume, 'spec')['claimRef'] === undefined;
      this.#volumes.update(
        volume.metadata,
        (live) => changed(live, { spec: { claimRef: reference }, annotations: chosen ? [boundByController] : [] }),
        controllerContext(this.name, 'update'),
      );
    }
    this.#setPhase(volume.metadata.name, 'Bound');
    if (claim.metadata.annotations?.[bindCompleted] === undefined) {
      const chosen = stringAt(claim, 'spec', 'volumeName') === '';
      const annotations = chosen ? [boundByController, bindCompleted] : [bindCompleted];
      const spec = { volumeName: volume.metadata.name };
      const change = (live: ApiObject): unknown => changed(live, { spec, annotations });
      this.#claims.update(claim.metadata, change, controllerContext(this.name, 'update'));
    }
    const { accessModes, capacity } = objectAt(volume, 'spec');
    this.#setClaimStatus(claim, { phase: 'Bound', accessModes, capacity });
  }

  #provision(claim: ApiObject, waits: boolean): void {
    const className = stringAt(claim, 'spec', 'storageClassName');
    if (objectAt(claim, 'spec')['storageClassName'] === undefined && this.#giveDefaultClass(claim)) return;
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
    if (waits && !this.#isWanted(claim)) {
      const message = 'waiting for first consumer to be created before binding';
      this.#say(claim, 'Normal', 'WaitForFirstConsumer', message);
      return;
    }
    const provisioner = stringAt(storageClass, 'provisioner');
    if (provisioner === 'kubernetes.io/no-provisioner') return;
    try {
      const volume = this.#volumes.create(volumeFor(claim, storageClass), controllerContext(this.name, 'create'));
      const text = `Successfully provisioned volume ${volume.metadata.name}`;
      const source = { component: provisioner };
      this.#setting.events.record(claim, { type: 'Normal', reason: 'ProvisioningSucceeded', message: text }, source);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }

  /** A claim that says nothing of a class gets the default one, also when that comes later; whether there is one. */
  #giveDefaultClass(claim: ApiObject): boolean {
    const classes = this.#setting.registry.store.list('storage.k8s.io/storageclasses');
    const chosen = classes.find(({ metadata }) => metadata.annotations?.[defaultClass] === 'true');
    if (chosen === undefined) return false;
    const change = (live: ApiObject): unknown =>
      changed(live, { spec: { storageClassName: chosen.metadata.name }, annotations: [] });
    this.#claims.update(claim.metadata, change, controllerContext(this.name, 'update'));
    return true;
  }

  #syncVolume(volume: ApiObject): void {
    const reference = objectAt(volume, 'spec', 'claimRef');
    const { name } = volume.metadata;
    const uid = stringAt(reference, 'uid');
    if (uid === '') {
      this.#setPhase(name, 'Available');
      return;
    }
    const key = { name: stringAt(reference, 'name'), namespace: stringAt(reference, 'namespace') };
    const claim = this.#claims.find(key);
    if (claim?.metadata.uid === uid) {
      if (claim.metadata.annotations?.[bindCompleted] === undefined) this.#syncClaim(claim);
      return;
    }
    const phase = stringAt(volume, 'status', 'phase');
    if (phase === 'Bound' || phase === 'Available') this.#setPhase(name, 'Released');
    const policy = stringAt(volume, 'spec', 'persistentVolumeReclaimPolicy');
    if (policy !== 'Delete' || volume.metadata.deletionTimestamp !== undefined) return;
    this.#volumes.delete({ name }, {}, controllerContext(this.name, 'delete'));
  }

  #setPhase(name: string, phase: string): void {
    const change = (live: ApiObject): unknown => {
      const next = copyJson(live) as unknown as JsonDraft;
      madeAt(next, 'status')['phase'] = phase;
      return next;
    };
    const live = this.#volumes.find({ name });
    if (live === undefined || stringAt(live, 'status', 'phase') === phase) return;
    this.#volumes.update({ name }, change, controllerContext(this.name, 'update', 'status'));
  }

  #setClaimStatus(claim: ApiObject, status: JsonDraft): void {
    const change = (live: ApiObject): unknown => ({
      ...live,
      status: { ...objectAt(live, 'status'), ...copyJson(status) },
    });
    this.#claims.update(claim.metadata, change, controllerContext(this.name, 'update', 'status'));
  }

  #waitsForPod(claim: ApiObject): boolean {
    const name = stringAt(claim, 'spec', 'storageClassName');
    const storageClass = this.#setting.registry.builtIn('storage.k8s.io/v1/storageclasses').find({ name });
    return stringAt(storageClass, 'volumeBindingMode') === 'WaitForFirstConsumer';
  }

  #isWanted(claim: ApiObject): boolean {
    const { name, namespace } = claim.metadata;
    return this.#setting.index
      .inNamespace('/pods', namespace)
      .some((pod) =>
        objectsAt(pod, 'spec', 'volumes').some(
          (volume) => stringAt(volume, 'persistentVolumeClaim', 'claimName') === name,
        ),
      );
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
  live: ApiObject,
  { spec, annotations }: { readonly spec: JsonDraft; readonly annotations: readonly string[] },
): unknown {
  const next = copyJson(live) as unknown as JsonDraft;
  Object.assign(madeAt(next, 'spec'), spec);
  if (annotations.length === 0) return next;
  Object.assign(madeAt(next, 'metadata', 'annotations'), Object.fromEntries(annotations.map((name) => [name, 'yes'])));
  return next;
}

/** The volume that a provisioner makes for a claim. */
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
