import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generateCrds } from '@kubewright/api/crd';
import type { Manager, OperatorDescription } from '@kubewright/runtime';
import { rightsOf } from '@kubewright/runtime/rights';
import { describeSources } from '../../descriptions/describe-sources.js';
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
    request.sources.map(async (path) => ({ path, text: await readFile(join(request.root, path), 'utf8') })),
  );
  const modules = [...(await loaded(request)), ...elsewhere(description, sources)];
  const declared = declaredKinds(modules);
  const descriptions = describeSources(sources).of(modules);
  const { definitions, warnings } = generateCrds(
    declared.map(({ ref }) => ref),
    { descriptions },
  );
  return {
    kinds: declared.map(({ kind }) => kind),
    crds: definitions.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)),
    warnings,
    operator: inspectedOperator(description),
    rights: rightsOf(description),
  };
}

function loaded({ declaring }: InspectionRequest): Promise<readonly DeclaringModule[]> {
  return Promise.all(
    declaring.map(async ({ source, compiled }) => {
      const exports = (await import(pathToFileURL(compiled).href)) as Readonly<Record<string, unknown>>;
      return { source, exports };
    }),
  );
}
/** The kinds that controllers are for, each as exported by the source with its class; those of other packages are not the project's. */
function elsewhere({ controllers }: OperatorDescription, sources: readonly Source[]): readonly DeclaringModule[] {
  return controllers.flatMap(({ for: reconciled }) => {
    const ref = reconciled?.kind;
    if (typeof ref !== 'function') return [];
    const source = sources.find(({ text }) => new RegExp(`\\bclass ${ref.name}\\b`).test(text));
    return source === undefined ? [] : [{ source: source.path, exports: { [ref.name]: ref } }];
  });
}
