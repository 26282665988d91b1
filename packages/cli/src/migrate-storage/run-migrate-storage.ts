import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { KubewrightError } from '@kubewright/api/errors';
import type { CommandContext } from '../command/command-context.js';
import { shownList } from '../command/shown-list.js';
import { counted } from '../deploy/apply-objects.js';
import type { ClusterChoice, KubeApi } from '../deploy/kube-api.js';
import { agreeToCluster, describeCluster } from '../deploy/target.js';
import { declaredProject, withCluster } from '../deploy/with-cluster.js';
import { migrateInCluster } from './migrate-in-cluster.js';
import { type FailedWrite, rewriteObjects } from './rewrite-objects.js';
import { isMigrated, removeOldVersions, storageVersionOf } from './stored-versions.js';

/** The options of `kubewright migrate-storage`. */
export interface MigrateStorageOptions extends ClusterChoice {
  /** The maximum number of writes per second. */
  readonly rate: number;
  readonly dryRun?: boolean;
}

/** The result for one definition, for the output of `--json`. */
interface MigratedDefinition {
  readonly name: string;
  readonly storageVersion: string;
  readonly outcome: 'unchanged' | 'migrated' | 'checked' | 'failed';
  /** The versions in `status.storedVersions` before the migration. */
  readonly storedVersions: readonly string[];
  /** The component that wrote the objects: the cluster or this command. Undefined if no object had to be written. */
  readonly migratedBy?: 'cluster' | 'command';
  /** The number of objects that this command wrote. Undefined if the cluster wrote the objects, or if no object had to be written. */
  readonly written?: number;
  readonly failed?: readonly FailedWrite[];
}

/**
 * Runs `kubewright migrate-storage`: for each definition with several stored versions, writes all objects in the storage version, and
 * removes the other versions from `status.storedVersions`. With `--dry-run`, only checks that the API server accepts the writes.
 * @throws KubewrightError NO_SUCH_OBJECT if the cluster does not have a definition; STORAGE_MIGRATION_FAILED if objects cannot be written,
 *   or if a definition changes during its migration
 */
export async function runMigrateStorage(
  context: CommandContext,
  names: readonly string[],
  options: MigrateStorageOptions,
): Promise<void> {
  const { output } = context;
  const wanted = names.length > 0 ? names : await declaredNames(context);
  await withCluster(context, options, async (api) => {
    const found = await Promise.all(wanted.map((name) => findDefinition(api, name)));
    const old = found.filter((crd) => !isMigrated(crd));
    if (old.length > 0 && options.dryRun !== true) {
      await agreeToCluster(context, api.connection, `write all objects of ${counted(old.length, 'kind')}`);
    }
    const definitions: MigratedDefinition[] = [];
    for (const crd of found) {
      const migrated = isMigrated(crd) ? unchanged(crd) : await migrate(context, api, { crd, options });
      definitions.push(migrated);
      report(context, migrated);
    }
    const { server, context: name } = api.connection;
    output.json({ cluster: server, context: name, dryRun: options.dryRun === true, definitions });
    const failed = definitions.flatMap(({ failed: objects = [] }) => objects);
    if (failed.length > 0) throw refused(failed, options.dryRun === true);
    if (old.length === 0) {
      const where = describeCluster(api.connection);
      output.line(`nothing changed: ${where} stores all objects of ${counted(found.length, 'kind')} in one version`);
    }
  });
}

async function declaredNames(context: CommandContext): Promise<readonly string[]> {
  const { declared } = await declaredProject(context);
  return declared.crds.map(({ metadata }) => metadata.name);
}

async function findDefinition(api: KubeApi, name: string): Promise<CustomResourceDefinition> {
  const crd = await api.client.live.find(CustomResourceDefinition, { name });
  if (crd !== undefined) return crd;
  const where = describeCluster(api.connection);
  throw new KubewrightError(
    'NO_SUCH_OBJECT',
    `${where} has no CustomResourceDefinition ${name}; run \`kubewright install\`, or pass the name of a definition that is installed`,
  );
}

async function migrate(
  context: CommandContext,
  api: KubeApi,
  { crd, options }: { readonly crd: CustomResourceDefinition; readonly options: MigrateStorageOptions },
): Promise<MigratedDefinition> {
  const { signal, output } = context;
  const { rate, dryRun = false } = options;
  const result = described(crd);
  if (!dryRun && (await migrateInCluster(api, crd, { signal, note: (text) => output.note(text) }))) {
    await removeOldVersions(api, crd);
    return { ...result, outcome: 'migrated', migratedBy: 'cluster' };
  }
  const { written, failed } = await rewriteObjects(api, crd, { rate, dryRun, signal });
  const done = { ...result, migratedBy: 'command', written } as const;
  if (failed.length > 0) return { ...done, outcome: 'failed', failed };
  if (dryRun) return { ...done, outcome: 'checked' };
  await removeOldVersions(api, crd);
  return { ...done, outcome: 'migrated' };
}

function described(
  crd: CustomResourceDefinition,
): Pick<MigratedDefinition, 'name' | 'storageVersion' | 'storedVersions'> {
  const { storedVersions = [] } = crd.status ?? {};
  return { name: crd.metadata.name, storageVersion: storageVersionOf(crd), storedVersions };
}

function unchanged(crd: CustomResourceDefinition): MigratedDefinition {
  return { ...described(crd), outcome: 'unchanged' };
}

function report(
  { output }: CommandContext,
  { name, storageVersion, outcome, written, failed = [] }: MigratedDefinition,
): void {
  const { green, yellow, red, dim } = output.styles;
  const objects = written === undefined ? 'all objects' : counted(written, 'object');
  if (outcome === 'migrated') output.line(`${green('migrated')} ${name}: wrote ${objects} in ${storageVersion}`);
  if (outcome === 'checked') output.line(`${yellow('would migrate')} ${name}: ${objects} to ${storageVersion}`);
  if (outcome !== 'failed') return;
  output.line(
    `${red('failed')} ${name}: wrote ${objects} in ${storageVersion}, could not write ${counted(failed.length, 'object')}`,
  );
  for (const { object, message } of failed) output.line(dim(`  ${object}: ${message}`));
}

function refused(failed: readonly FailedWrite[], dryRun: boolean): KubewrightError {
  const objects = shownList(
    failed.map(({ object }) => object),
    { most: 5 },
  );
  const state = dryRun ? 'would reject' : 'rejected';
  return new KubewrightError(
    'STORAGE_MIGRATION_FAILED',
    `the API server ${state} the writes of ${objects}; correct these objects, and run the command again, which continues with the objects that are not written yet`,
  );
}
