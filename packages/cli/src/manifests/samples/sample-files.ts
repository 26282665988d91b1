import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { manifestText } from '../manifest-text.js';
import type { ManifestsInput } from '../manifests-input.js';
import { validatedSample } from './sample-of.js';

/** Generates a sample for each served version of each kind. Returns pairs of the path, relative to the project, and the text. */
export function sampleFiles({ crds, settings }: ManifestsInput): readonly (readonly [string, string])[] {
  return crds.flatMap((crd) =>
    crd.spec.versions
      .filter(({ served }) => served)
      .map(({ name }) => {
        const path = `config/samples/${samplePrefix(crd, settings.domain)}${name}_${crd.spec.names.kind.toLowerCase()}.yaml`;
        return [path, sampleText(crd, name)] as const;
      }),
  );
}

/** Returns the prefix of the file name: the API group without the domain of the project, with an underscore; '' if both are equal. */
function samplePrefix({ spec: { group } }: CustomResourceDefinition, domain: string | undefined): string {
  if (domain === undefined) return `${group}_`;
  if (group === domain) return '';
  return `${group.endsWith(`.${domain}`) ? group.slice(0, -domain.length - 1) : group}_`;
}

/** Returns the YAML of a sample. If the API server would reject the sample, adds a comment that lists the problems. */
function sampleText(crd: CustomResourceDefinition, version: string): string {
  const { sample, problems } = validatedSample(crd, version);
  if (problems.length === 0) return manifestText([sample]);
  const wrong = problems.map(({ field, message }) => `# - ${field}: ${message.replaceAll(/\s+/g, ' ')}`);
  const comment = [
    '# The API server rejects this sample, and the generator found no valid value. Correct the sample:',
    ...wrong,
  ];
  return manifestText([sample], comment.join('\n'));
}
