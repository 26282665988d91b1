import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { CommandContext } from '../command/command-context.js';
import { shownList } from '../command/shown-list.js';
import { classesOf } from '../crd-classes/classes-of.js';
import { crdText } from '../crd-classes/crd-text.js';
import { readCrds } from '../crd-classes/read-crds.js';
import { withCluster } from '../deploy/with-cluster.js';
import { sampleOf } from '../manifests/samples/sample-of.js';
import type { AddControllerOptions } from './add-controller-options.js';
import type { ControlledKind } from './controlled-kind.js';
import { externalPath } from './kind-layout.js';
import { invalidUsage } from './kind-request.js';
import type { ProjectSources } from './project-sources.js';

/**
 * Returns a kind of another operator, with classes generated from its definition in a file or in a cluster.
 * @throws KubewrightError INVALID_CRD for a file that does not exist or has no valid definitions, INVALID_USAGE if no definition or several
 *   definitions match the request, NO_VERSION if the definition does not have the version, and UNSUPPORTED_KIND if no class can express the
 *   kind
 */
export async function externalKind(
  context: CommandContext,
  sources: ProjectSources,
  request: AddControllerOptions,
): Promise<ControlledKind> {
  const { crd: file } = request;
  const where = file === undefined ? 'the cluster' : file;
  const crds =
    file === undefined ? await installed(context, request) : readCrds(await crdText(context.cwd, file), file);
  const crd = chosen(crds, request, where);
  const version = request.version ?? crd.spec.versions.find(({ storage }) => storage)?.name;
  const [classes] = classesOf(crd, { external: true, ...(version !== undefined && { version }) });
  if (classes === undefined) throw invalidUsage(`a controller for ${request.kind}`, `its definition has no version`);
  const path = externalPath(sources, classes);
  return {
    ...classes,
    from: path,
    origin: 'external',
    created: { path, text: classes.text },
    sample: async () => inNamespace(sampleOf(crd, classes.version), crd),
  };
}

/** Adds the namespace `default` to an object of a namespaced kind. */
export function inNamespace(
  sample: object,
  { spec }: Pick<CustomResourceDefinition, 'spec'>,
): Readonly<Record<string, unknown>> {
  const { metadata = {}, ...rest } = sample as { readonly metadata?: object };
  return { metadata: spec.scope === 'Namespaced' ? { ...metadata, namespace: 'default' } : metadata, ...rest };
}

async function installed(
  context: CommandContext,
  request: AddControllerOptions,
): Promise<readonly CustomResourceDefinition[]> {
  let crds: readonly CustomResourceDefinition[] = [];
  await withCluster(context, request, async ({ client }) => {
    crds = await client.live.list(CustomResourceDefinition);
  });
  return crds;
}

function chosen(
  crds: readonly CustomResourceDefinition[],
  { kind, group }: AddControllerOptions,
  where: string,
): CustomResourceDefinition {
  const named = crds.filter(({ spec }) => spec.names.kind === kind);
  const [found, ...more] = named.filter(({ spec }) => group === undefined || spec.group === group);
  const what = `a controller for ${kind}`;
  if (more.length > 0) {
    const groups = named.map(({ spec }) => spec.group).toSorted();
    throw invalidUsage(
      what,
      `${where} has this kind in the groups ${groups.join(' and ')}; pass --group with one of them`,
    );
  }
  if (found !== undefined) return found;
  const others = (named.length > 0 ? named : crds).map(({ spec }) => `${spec.names.kind} (${spec.group})`).toSorted();
  const shown = shownList(others, { most: 12 });
  throw invalidUsage(
    what,
    `${where} has no definition of this kind${group === undefined ? '' : ` in the group ${group}`}; ${others.length === 0 ? 'it has no definitions' : `it has the definitions of ${shown}`}`,
  );
}
