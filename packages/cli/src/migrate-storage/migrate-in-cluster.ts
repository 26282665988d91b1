import { dynamicKind, type KindRef, type KubeObject } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { SystemClock } from '@kubewright/api/clock';
import { isAlreadyExists, KubewrightError } from '@kubewright/api/errors';
import type { KubeApi } from '../deploy/kube-api.js';
import { storageVersionOf } from './stored-versions.js';

/** The fields of a StorageVersionMigration that the command uses. */
interface StorageVersionMigration extends KubeObject {
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly message?: string;
    }[];
  };
}

const VERSIONS = ['v1', 'v1beta1', 'v1alpha1'] as const;
const POLL = '1s';

/**
 * Creates a StorageVersionMigration, so that the cluster writes the objects, and waits until the migration has succeeded. Returns false if
 * the cluster does not serve StorageVersionMigrations.
 * @throws KubewrightError STORAGE_MIGRATION_FAILED if the migration fails, with the message of its condition Failed
 */
export async function migrateInCluster(
  api: KubeApi,
  crd: CustomResourceDefinition,
  { signal, note }: { readonly signal: AbortSignal; readonly note: (text: string) => void },
): Promise<boolean> {
  const kind = await servedMigrations(api);
  if (kind === undefined) return false;
  const name = migrationName(crd);
  const clock = new SystemClock();
  await create(api, newMigration(kind.version, crd));
  note(`waiting for StorageVersionMigration ${name}`);
  for (;;) {
    const migration = (await api.client.live.get(kind.ref, { name })) as StorageVersionMigration;
    if (hasCondition(migration, 'Succeeded')) break;
    if (hasCondition(migration, 'Failed')) throw failed(migration);
    await clock.sleep(POLL, signal);
  }
  // Does not wait until Running is false. From v1beta1 on, the controller of the cluster updates the stored versions before that, but the
  // caller also updates these versions.
  return true;
}

async function servedMigrations(
  api: KubeApi,
): Promise<{ readonly version: (typeof VERSIONS)[number]; readonly ref: KindRef } | undefined> {
  for (const version of VERSIONS) {
    const ref = dynamicKind(`storagemigration.k8s.io/${version}`, 'StorageVersionMigration');
    if (await api.client.isServed(ref)) return { version, ref };
  }
  return undefined;
}

/**
 * Returns the name of the migration for the current generation of a definition. Each generation has its own migration, because a finished
 * migration does not run again.
 */
function migrationName({ metadata: { name, generation = 0 } }: CustomResourceDefinition): string {
  return `${name}-${generation}`;
}

function newMigration(version: (typeof VERSIONS)[number], crd: CustomResourceDefinition): object {
  const { group, names } = crd.spec;
  const resource = { group, resource: names.plural };
  return {
    apiVersion: `storagemigration.k8s.io/${version}`,
    kind: 'StorageVersionMigration',
    metadata: { name: migrationName(crd) },
    spec: { resource: version === 'v1alpha1' ? { ...resource, version: storageVersionOf(crd) } : resource },
  };
}

/** Creates the migration. If the migration already exists and has failed, replaces it, because a failed migration does not run again. */
async function create(api: KubeApi, migration: object): Promise<void> {
  const object = migration as KubeObject;
  try {
    await api.client.create(object);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const existing: StorageVersionMigration | undefined = await api.find(object);
    if (existing === undefined || !hasCondition(existing, 'Failed')) return;
    await api.client.delete(existing);
    await api.client.create(object);
  }
}

function hasCondition({ status }: StorageVersionMigration, type: string): boolean {
  return (status?.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
}

function failed({ metadata, status }: StorageVersionMigration): KubewrightError {
  const why = status?.conditions?.find(({ type }) => type === 'Failed')?.message ?? 'no reason is given';
  return new KubewrightError(
    'STORAGE_MIGRATION_FAILED',
    `StorageVersionMigration ${metadata.name} failed: ${why}; correct the cause, and run the command again`,
  );
}
