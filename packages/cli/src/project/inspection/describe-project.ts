import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { KindRef } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { generateCrds } from '@kubewright/api/crd';
import { crdsFor, isExternalKind, wholeKindOf } from '@kubewright/api/metadata';
import type { Manager, OperatorDescription } from '@kubewright/runtime';
import { guessWarnings, rightsOf } from '@kubewright/runtime/rights';
import { describeSources } from '../../descriptions/describe-sources.js';
import { textOf } from '../if-there.js';
import type { InspectedProject } from '../inspected-project.js';
import { type DeclaringModule, declaredKinds } from './declared-kinds.js';
import { inspectedOperator } from './inspected-operator.js';
import type { InspectionRequest } from './inspection-messages.js';

/** A source of the project. */
interface Source {
  readonly path: string;
  readonly text: string;
}

/** What a project declares. Its program was loaded and handed over its manager. */
export async function describeProject(request: InspectionRequest, manager: Manager): Promise<InspectedProject> {
  const description = manager.describe();
  const sources = await Promise.all(
    request.sources.map(async (path) => ({ path, text: await textOf(join(request.root, path)) })),
  );
  const inApi = await loaded(request);
  const exported = new Set(inApi.flatMap(({ exports }) => Object.values(exports)));
  const others = reconciled(description).filter((ref) => !exported.has(ref));
  const modules = [...inApi, ...others.flatMap((ref) => moduleOf(ref, sources))];
  const declared = declaredKinds(modules);
  const described = describeSources(sources);
  const { definitions, warnings } = generateCrds(
    declared.filter(({ kind }) => !kind.external).map(({ ref }) => ref),
    { descriptions: described.of(modules) },
  );
  return {
    kinds: declared.map(({ kind }) => kind),
    crds: byName(definitions),
    externalCrds: externalCrds([...declared.map(({ ref }) => ref), ...usedKinds(description)]),
    warnings: [...warnings, ...described.forgottenFields(modules), ...guessWarnings(description)],
    operator: inspectedOperator(description),
    rights: rightsOf(description),
  };
}

function externalCrds(refs: readonly KindRef[]): readonly CustomResourceDefinition[] {
  return byName(crdsFor(refs.filter(isExternalKind)));
}
function byName(definitions: readonly CustomResourceDefinition[]): readonly CustomResourceDefinition[] {
  return definitions.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}
function usedKinds({ controllers }: OperatorDescription): readonly KindRef[] {
  return controllers
    .flatMap(({ for: reconciled, owns, watches, reads }) => [reconciled ?? [], owns, watches, reads].flat())
    .map(({ kind }) => wholeKindOf(kind));
}
function loaded({ declaring }: InspectionRequest): Promise<readonly DeclaringModule[]> {
  return Promise.all(
    declaring.map(async ({ source, compiled }) => {
      const exports = (await import(pathToFileURL(compiled).href)) as Readonly<Record<string, unknown>>;
      return { source, exports };
    }),
  );
}
function reconciled({ controllers }: OperatorDescription): readonly KindRef[] {
  return controllers.flatMap((controller) => controller.for?.kind ?? []);
}
/** The source of the project that declares a kind, as if it exported it. Kinds of other packages are not the project's. */
function moduleOf(ref: KindRef, sources: readonly Source[]): readonly DeclaringModule[] {
  const declaration = new RegExp(`\\b(?:class|const) ${ref.name}\\b`);
  const source = sources.find(({ text }) => ref.name !== '' && declaration.test(text));
  return source === undefined ? [] : [{ source: source.path, exports: { [ref.name]: ref } }];
}
