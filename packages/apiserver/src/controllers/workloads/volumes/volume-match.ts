import type { Steps } from '@kubewright/api/apply';
import { compareQuantities } from '@kubewright/api/quantity';
import { labelSelectorFromObject } from '@kubewright/api/selectors';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { objectAt, stringAt } from '../../../registry/objects/json-object.js';

/** The number of volumes of other claims that a step skips. */
const skippedAStep = 100;

/**
 * Returns, in steps, the best volume for a claim: a volume that references the claim, or else the smallest volume that is large enough.
 * Returns undefined if no volume matches.
 */
export function* bestVolume(claim: ApiObject, volumes: readonly ApiObject[]): Steps<ApiObject | undefined> {
  const fits = fitting(claim);
  let best: ApiObject | undefined;
  let skipped = 0;
  for (const volume of volumes) {
    if (isMeantForAnother(volume, claim)) {
      skipped += 1;
      if (skipped % skippedAStep === 0) yield;
      continue;
    }
    if (fits(volume)) {
      if (stringAt(volume, 'spec', 'claimRef', 'name') !== '') return volume;
      if (best === undefined || compareQuantities(capacity(volume), capacity(best)) < 0) best = volume;
    }
    yield;
  }
  return best;
}

/** Returns whether the `claimRef` of a volume references this claim. */
export function isMeantFor(volume: ApiObject, { metadata }: ApiObject): boolean {
  const reference = objectAt(volume, 'spec', 'claimRef');
  if (reference['name'] !== metadata.name || reference['namespace'] !== metadata.namespace) return false;
  return reference['uid'] === undefined || reference['uid'] === '' || reference['uid'] === metadata.uid;
}

function isMeantForAnother(volume: ApiObject, claim: ApiObject): boolean {
  return objectAt(volume, 'spec')['claimRef'] !== undefined && !isMeantFor(volume, claim);
}

/** Returns a function that tests whether a volume matches a claim and is not bound to another claim. */
function fitting(claim: ApiObject): (volume: ApiObject) => boolean {
  const selected =
    objectAt(claim, 'spec')['selector'] === undefined
      ? undefined
      : labelSelectorFromObject(objectAt(claim, 'spec', 'selector'));
  const desired = modesOf(claim);
  const size = stringAt(claim, 'spec', 'resources', 'requests', 'storage') || '0';
  return (volume) => {
    if (volume.metadata.deletionTimestamp !== undefined) return false;
    const named = objectAt(volume, 'spec')['claimRef'] !== undefined;
    if (!named && stringAt(volume, 'status', 'phase') !== 'Available') return false;
    const modes = new Set(modesOf(volume));
    return (
      stringAt(claim, 'spec', 'storageClassName') === stringAt(volume, 'spec', 'storageClassName') &&
      (stringAt(claim, 'spec', 'volumeMode') || 'Filesystem') ===
        (stringAt(volume, 'spec', 'volumeMode') || 'Filesystem') &&
      desired.every((mode) => modes.has(mode)) &&
      compareQuantities(capacity(volume), size) >= 0 &&
      (named || selected === undefined || selected.matches(volume.metadata.labels ?? {}))
    );
  };
}

function modesOf(object: ApiObject): readonly unknown[] {
  const modes = objectAt(object, 'spec')['accessModes'];
  return Array.isArray(modes) ? modes : [];
}

function capacity(volume: ApiObject): string {
  return stringAt(volume, 'spec', 'capacity', 'storage') || '0';
}
