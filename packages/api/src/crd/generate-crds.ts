import { definitionProblems } from '../crd-problems/definition-problems.js';
import { definitionWarnings, mostBytes, sizeOf } from '../crd-problems/definition-warnings.js';
import { lostFields } from '../crd-problems/lost-fields.js';
import { nameClashes } from '../crd-problems/name-clashes.js';
import { KubewrightError } from '../errors/kubewright-error.js';
import type { CustomResourceDefinition } from '../generated/apiextensions/v1.js';
import { kindOf } from '../kinds/kind-of.js';
import type { KindRef } from '../objects/kube-object.js';
import { type CrdOptions, crdsFor } from './crd-for.js';

/** Options of `generateCrds`. */
export interface GenerateCrdsOptions extends CrdOptions {
  /**
   * The kinds whose versions a webhook converts: one version of each kind, or several. `generateCrds` does not warn about fields that one
   * of their versions lacks, and does not add the conversion to the definition. @default none
   */
  readonly converted?: readonly KindRef[];
}

/** The validated definitions, and the warnings about them. */
export interface GeneratedCrds {
  readonly definitions: readonly CustomResourceDefinition[];
  /**
   * Warnings about definitions that are valid but probably not intended: large definitions, fields that another version drops, formats that
   * are not validated, enums that reject null, examples that do not match, and defaults that are not applied.
   */
  readonly warnings: readonly string[];
}

/**
 * Returns the CustomResourceDefinitions of several kinds, as `crdsFor` does, and validates them like the API server. Rejects schemas that
 * are not structural, rules that do not compile or cost too much, defaults that do not match, names that two kinds share, and definitions
 * that are too large. An error in a schema contains the class and the field, and the fix if the fix is known.
 * @throws KubewrightError INVALID_KIND with one sentence per error, and the errors of `crdsFor`
 */
export function generateCrds(kinds: readonly KindRef[], options: GenerateCrdsOptions = {}): GeneratedCrds {
  const { converted = [], ...crdOptions } = options;
  const definitions = crdsFor(kinds, crdOptions);
  const refs = [...new Set(kinds)];
  const versionsOf = ({ spec }: CustomResourceDefinition): readonly KindRef[] =>
    spec.versions.flatMap(({ name }) =>
      refs.filter((ref) => {
        const { group, kind, version } = kindOf(ref);
        return group === spec.group && kind === spec.names.kind && version === name;
      }),
    );
  for (const crd of definitions) {
    const { kind } = crd.spec.names;
    refuse(kind, definitionProblems(crd, versionsOf(crd)));
    const size = sizeOf(crd);
    const large = `its size is ${(size / 1024 / 1024).toFixed(1)} MiB, but etcd accepts at most 1.5 MiB; generate it without descriptions, or declare fields of large built-in types as Field.unknown`;
    refuse(kind, size > mostBytes ? [large] : []);
  }
  const clashes = nameClashes(definitions);
  if (clashes.length > 0)
    throw new KubewrightError('INVALID_KIND', `cannot generate CustomResourceDefinitions: ${listed(clashes)}`);
  const isConverted = ({ spec }: CustomResourceDefinition): boolean =>
    converted.map(kindOf).some(({ group, kind }) => group === spec.group && kind === spec.names.kind);
  const warnings = definitions.flatMap((crd) => [
    ...(isConverted(crd) ? [] : lostFields(crd)).map((each) => `${crd.metadata.name}: ${each}`),
    ...definitionWarnings(crd, versionsOf(crd)).map((each) => `${crd.metadata.name}: ${each}`),
  ]);
  return { definitions, warnings };
}

function refuse(kind: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw new KubewrightError(
    'INVALID_KIND',
    `cannot generate the CustomResourceDefinition of ${kind}: ${listed(problems)}`,
  );
}

function listed(sentences: readonly string[]): string {
  return sentences.length === 1 ? sentences.join() : sentences.map((sentence) => `\n- ${sentence}`).join('');
}
