import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { KindRef } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { generateCrds } from '@kubewright/api/crd';
import { crdsFor, isExternalKind, kindOf, wholeKindOf } from '@kubewright/api/metadata';
import type { Manager, OperatorDescription } from '@kubewright/runtime';
import { guessWarnings, permissionsOf } from '@kubewright/runtime/permissions';
import { describeSources } from '../../descriptions/describe-sources.js';
import { textOf } from '../if-exists.js';
import type { InspectedProject } from '../inspected-project.js';
import { type DeclaredKind, type DeclaringModule, declaredKinds } from './declared-kinds.js';
import { inspectedOperator } from './inspected-operator.js';
import type { InspectedModule, InspectionRequest } from './inspection-messages.js';
import { linkedKinds, type LinkedSource } from './linked-kinds.js';
import { moduleOf, type Source } from './module-of.js';

/** The sources of a project, and the kinds that they declare. */
export interface ProjectDeclarations {
  readonly own: readonly Source[];
  readonly linked: readonly LinkedSource[];
  readonly modules: readonly DeclaringModule[];
  readonly declared: readonly DeclaredKind[];
}

/** Loads the modules of a project, and returns the kinds that they declare and that the operator uses. */
export async function projectDeclarations(
  request: InspectionRequest,
  description: OperatorDescription,
): Promise<ProjectDeclarations> {
  const [own, linked] = await Promise.all([ownSources(request), linkedSources(request)]);
  const inApi = await Promise.all(request.declaring.map(loaded));
  const exported = new Set(inApi.flatMap(({ exports }) => Object.values(exports)));
  const others = [...reconciled(description), ...parameterKinds(description)]
    .filter((ref) => !exported.has(ref))
    .map((ref) => [ref, moduleOf(ref, own)] as const);
  const elsewhere = others.filter(([, found]) => found.length === 0).map(([ref]) => ref);
  const modules = [...inApi, ...others.flatMap(([, found]) => found), ...(await linkedKinds(elsewhere, linked))];
  return { own, linked, modules, declared: declaredKinds(modules) };
}

/** Returns the declarations of a project. `manager` is the manager that the program of the project starts. */
export async function describeProject(request: InspectionRequest, manager: Manager): Promise<InspectedProject> {
  const description = manager.describe();
  const { own, linked, modules, declared } = await projectDeclarations(request, description);
  const described = describeSources([...own, ...linked]);
  const { definitions, warnings } = generateCrds(
    declared.filter(({ kind }) => !kind.external).map(({ ref }) => ref),
    { descriptions: described.of(modules), converted: convertedKinds(description) },
  );
  return {
    kinds: declared.map(({ kind }) => kind),
    crds: byName(definitions),
    externalCrds: externalCrds([...declared.map(({ ref }) => ref), ...usedKinds(description)]),
    warnings: [...warnings, ...described.forgottenFields(modules), ...guessWarnings(description)],
    operator: inspectedOperator(description),
    permissions: permissionsOf(description),
  };
}

function externalCrds(refs: readonly KindRef[]): readonly CustomResourceDefinition[] {
  return byName(crdsFor(refs.filter(isExternalKind)));
}
function byName(definitions: readonly CustomResourceDefinition[]): readonly CustomResourceDefinition[] {
  return definitions.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}
function convertedKinds({ webhooks }: OperatorDescription): readonly KindRef[] {
  return (webhooks?.conversions ?? []).map(({ hub }) => hub);
}
/** Returns the kinds that the controllers and the policies use. */
export function usedKinds({ controllers, policies = [] }: OperatorDescription): readonly KindRef[] {
  const byControllers = controllers
    .flatMap(({ for: reconciled, owns, watches, reads }) => [reconciled ?? [], owns, watches, reads].flat())
    .map(({ kind }) => wholeKindOf(kind));
  return [...byControllers, ...policies.flatMap(({ kind, params }) => [kind, params ?? []].flat())];
}
/** Returns the kinds of the parameters of policies. The API server must serve them, although no controller may use them. */
function parameterKinds({ policies = [] }: OperatorDescription): readonly KindRef[] {
  return policies.flatMap(({ params }) => (params === undefined || kindOf(params).builtIn ? [] : [params]));
}
function ownSources({ root, sources }: InspectionRequest): Promise<readonly Source[]> {
  return Promise.all(sources.map((path) => readSource(root, path)));
}
function linkedSources({ root, linked }: InspectionRequest): Promise<readonly LinkedSource[]> {
  return Promise.all(
    linked.map(async (each) => ({ ...(await readSource(root, each.source)), load: () => loaded(each) })),
  );
}
async function readSource(root: string, path: string): Promise<Source> {
  return { path, text: await textOf(join(root, path)) };
}
async function loaded({ source, compiled }: InspectedModule): Promise<DeclaringModule> {
  const exports = (await import(pathToFileURL(compiled).href)) as Readonly<Record<string, unknown>>;
  return { source, exports };
}
function reconciled({ controllers }: OperatorDescription): readonly KindRef[] {
  return controllers.flatMap((controller) => controller.for?.kind ?? []);
}
