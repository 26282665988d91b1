import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { manifestText } from './manifest-text.js';
import type { ManifestsInput } from './manifests-input.js';
import { sampleOf } from './sample-of.js';

/** One sample for each served version of each kind, by path from the root of the project. */
export function sampleFiles({ crds, settings }: ManifestsInput): readonly (readonly [string, string])[] {
  return crds.flatMap((crd) =>
    crd.spec.versions
      .filter(({ served }) => served)
      .map(({ name }) => {
        const path = `config/samples/${samplePrefix(crd, settings.domain)}${name}_${crd.spec.names.kind.toLowerCase()}.yaml`;
        return [path, manifestText([sampleOf(crd, name)])] as const;
      }),
  );
}

/** The group, without the domain of the project. */
function samplePrefix({ spec: { group } }: CustomResourceDefinition, domain: string | undefined): string {
  if (domain === undefined) return `${group}_`;
  if (group === domain) return '';
  return `${group.endsWith(`.${domain}`) ? group.slice(0, -domain.length - 1) : group}_`;
}
