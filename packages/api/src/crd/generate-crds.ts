import { definitionMistakes } from '../crd-mistakes/definition-mistakes.js';
import { definitionWarnings, mostBytes, sizeOf } from '../crd-mistakes/definition-warnings.js';
import { nameClashes } from '../crd-mistakes/name-clashes.js';
import { KubewrightError } from '../errors/kubewright-error.js';
import type { CustomResourceDefinition } from '../generated/apiextensions/v1.js';
import { kindOf } from '../kinds/kind-of.js';
import type { KindRef } from '../objects/kube-object.js';
import { type CrdOptions, crdsFor } from './crd-for.js';

/** Definitions that an API server takes, and what should be looked at all the same. */
export interface GeneratedCrds {
  readonly definitions: readonly CustomResourceDefinition[];
  /** Sentences: definitions that are large, defaults that are not filled in, formats that nobody checks, examples that do not fit. */
  readonly warnings: readonly string[];
}

/**
 * The CustomResourceDefinitions of several kinds, as `crdsFor` makes them, looked at as the API server would: a schema that is not
 * structural, a rule that does not compile or costs too much, a default that does not fit, a name that two kinds claim and a
 * definition that is too large are refused here, each by class, field and cure.
 *
 * @throws KubewrightError INVALID_KIND with a sentence a mistake, and what `crdsFor` throws
 */
export function generateCrds(kinds: readonly KindRef[], options: CrdOptions = {}): GeneratedCrds {
  const definitions = crdsFor(kinds, options);
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
    refuse(kind, definitionMistakes(crd, versionsOf(crd)));
    const size = sizeOf(crd);
    const large = `it is ${(size / 1024 / 1024).toFixed(1)} MiB, and etcd takes 1.5 MiB; generate it without descriptions, or keep large built-in parts as Field.unknown`;
    refuse(kind, size > mostBytes ? [large] : []);
  }
  const clashes = nameClashes(definitions);
  if (clashes.length > 0)
    throw new KubewrightError('INVALID_KIND', `cannot make CustomResourceDefinitions: ${listed(clashes)}`);
  const warnings = definitions.flatMap((crd) =>
    definitionWarnings(crd, versionsOf(crd)).map((each) => `${crd.metadata.name}: ${each}`),
  );
  return { definitions, warnings };
}

function refuse(kind: string, mistakes: readonly string[]): void {
  if (mistakes.length === 0) return;
  throw new KubewrightError('INVALID_KIND', `cannot make the CustomResourceDefinition of ${kind}: ${listed(mistakes)}`);
}

function listed(sentences: readonly string[]): string {
  return sentences.length === 1 ? sentences.join() : sentences.map((sentence) => `\n- ${sentence}`).join('');
}
