import { PersistentVolume, PersistentVolumeClaim } from '@kubewright/api/core/v1';
import { StorageClass } from '@kubewright/api/storage/v1';
import { changed, type Client, type Connection, ignoreAlreadyExists, Manager, Result } from '@kubewright/runtime';
import { SilentLogger } from '@kubewright/runtime/internal';

const PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';

/** The default StorageClass, for claims that do not name a class. */
export const standardClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: 'kubewright.dev/volumes',
} as const;

/**
 * Simulates all external volume provisioners. Creates a PersistentVolume for each claim that kube-controller-manager leaves to an external
 * provisioner. Deletes a released volume with the reclaim policy Delete. Stores no data.
 */
export class VolumeProvisioner {
  readonly #manager: Manager;

  constructor(connection: Connection) {
    this.#manager = new Manager({
      connection,
      logger: new SilentLogger(),
      gracePeriod: '0s',
      signals: false,
      settings: false,
      metrics: false,
      health: false,
    });
    const { client } = this.#manager;
    this.#manager.control({ for: PersistentVolumeClaim }, async (claim) => {
      await provision(client, claim);
      return Result.done();
    });
    const when = changed<PersistentVolume>(({ status }) => status?.phase);
    this.#manager.control({ for: PersistentVolume, when }, async (volume) => {
      const { phase } = volume.status ?? {};
      const isOurs = volume.metadata.annotations?.[PROVISIONED_BY] !== undefined;
      const goes = phase === 'Released' && volume.spec.persistentVolumeReclaimPolicy === 'Delete';
      if (isOurs && goes) await client.delete(volume);
      return Result.done();
    });
  }

  start(): Promise<void> {
    return this.#manager.start();
  }
  stop(): Promise<void> {
    return this.#manager.stop();
  }
}

async function provision(client: Client, claim: PersistentVolumeClaim): Promise<void> {
  const { metadata, spec } = claim;
  const provisioner = metadata.annotations?.[PROVISIONER];
  if (provisioner === undefined || spec.volumeName !== undefined || metadata.deletionTimestamp !== undefined) return;
  await ignoreAlreadyExists(client.create(await volumeFor(client, claim, provisioner)));
}

async function volumeFor(
  client: Client,
  { metadata: { name, namespace = '', uid }, spec }: PersistentVolumeClaim,
  provisioner: string,
): Promise<PersistentVolume> {
  const { storageClassName = '', accessModes = [], resources, volumeMode } = spec;
  const { reclaimPolicy = 'Delete' } = await client.live.get(StorageClass, { name: storageClassName });
  return new PersistentVolume({
    metadata: { name: `pvc-${uid}`, annotations: { [PROVISIONED_BY]: provisioner } },
    spec: {
      accessModes,
      capacity: { ...resources?.requests },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, ...(uid !== undefined && { uid }) },
      hostPath: { path: `/volumes/${namespace}/${name}` },
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName,
      ...(volumeMode !== undefined && { volumeMode }),
    },
  });
}
