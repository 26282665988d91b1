import { builtInKinds } from '@kubewright/api/built-in';
import type { CommandContext } from '../command/command-context.js';
import { sampleOf } from '../manifests/samples/sample-of.js';
import { declaredBy } from '../project/declared-by.js';
import type { AddControllerOptions } from './add-controller-options.js';
import { builtInKind } from './built-in-kind.js';
import { builtInSample } from './built-in-samples.js';
import type { ControlledKind } from './controlled-kind.js';
import { externalKind, inNamespace } from './external-kind.js';
import { invalidUsage } from './kind-request.js';
import { ownKind } from './own-kind.js';
import type { ProjectSources } from './project-sources.js';
import type { KindDeclaration } from './source/kind-declarations.js';

/** The names of a kind, the source of its definition, and the purpose of the request. */
export interface RequestedKind extends Omit<AddControllerOptions, 'name'> {
  /** What the command adds, for error messages: 'a controller for Website'. */
  readonly what: string;
}

/**
 * Returns the requested kind. With `--crd` or `--from-cluster`, reads the definition of the kind. Otherwise, searches the kinds that the
 * project declares, which take precedence, and the built-in kinds.
 * @throws KubewrightError INVALID_USAGE if the project does not have the kind, or if the kind does not have the requested version
 */
export async function requestedKind(
  context: CommandContext,
  sources: ProjectSources,
  request: RequestedKind,
): Promise<ControlledKind> {
  if (request.crd !== undefined || request.fromCluster === true) return externalKind(context, sources, request);
  const isMeant = (each: KindDeclaration): boolean =>
    each.kind === request.kind && (request.version === undefined || each.version === request.version);
  const known = sources.externalKinds.filter(
    (each) => isMeant(each) && (request.group === undefined || each.group === request.group),
  );
  if (known.length > 0) return declaredKind(context, sources, chosenVersion(request, known));
  const builtIn = builtInKind(request);
  if (builtIn !== undefined && !sources.kinds.some(isMeant)) {
    const { info, module } = builtIn;
    return { ...info, className: info.kind, from: module, origin: 'built-in', sample: async () => builtInSample(info) };
  }
  const otherKinds = [...sources.externalKinds.map((each) => each.kind), ...builtInKinds().map((each) => each.kind)];
  const all = ownKind(sources, request, otherKinds);
  return declaredKind(context, sources, chosenVersion(request, all));
}

/**
 * Returns the requested version of a kind; without a requested version, the only version or the storage version.
 * @throws KubewrightError INVALID_USAGE if the kind does not have the requested version, if no version is the storage version, or if the
 *   declarations are in several groups
 */
function chosenVersion({ what, version }: RequestedKind, declared: readonly KindDeclaration[]): KindDeclaration {
  const groups = [...new Set(declared.map(({ group = '' }) => group))];
  if (groups.length > 1) {
    throw invalidUsage(what, `the groups ${groups.join(' and ')} have this kind; pass --group with one of them`);
  }
  const meant = declared.filter((each) => version === undefined || each.version === version);
  const [only] = meant.length === 1 ? meant : meant.filter(({ isStored }) => isStored);
  if (only !== undefined) return only;
  const versions = declared.map((each) => each.version ?? '?').join(', ');
  const problem = meant.length === 0 ? `the kind has no version ${version}` : 'the kind has several versions';
  throw invalidUsage(what, `${problem}; pass --version with one of ${versions}`);
}

function declaredKind(context: CommandContext, sources: ProjectSources, declared: KindDeclaration): ControlledKind {
  const { module, className, kind, group = '', version = '', isExternal } = declared;
  return {
    kind,
    group,
    version,
    className,
    from: module.path,
    origin: isExternal ? 'external' : 'own',
    sample: async () => {
      const { crds, externalCrds } = await declaredBy(sources.project, context);
      const crd = [...crds, ...externalCrds].find(({ spec }) => spec.group === group && spec.names.kind === kind);
      return crd === undefined ? undefined : inNamespace(sampleOf(crd, version), crd);
    },
  };
}
