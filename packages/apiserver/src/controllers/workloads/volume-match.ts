import { compareQuantities } from '@kubewright/api/quantity';
import { labelSelectorFromObject } from '@kubewright/api/selectors';
import { type ApiObject, objectAt, stringAt } from '../../registry/json-object.js';

/** The volume that suits a claim best: one that is meant for it, or else the smallest that is large enough. */
export function bestVolume(claim: ApiObject, volumes: readonly ApiObject[]): ApiObject | undefined {
  const fitting = volumes.filter((volume) => fits(claim, volume));
  const meant = fitting.find((volume) => stringAt(volume, 'spec', 'claimRef', 'name') !== '');
  return meant ?? fitting.toSorted((a, b) => compareQuantities(capacity(a), capacity(b)))[0];
}

/** Whether a volume that names a claim means this one. */
export function isMeantFor(volume: ApiObject, { metadata }: ApiObject): boolean {
  const reference = objectAt(volume, 'spec', 'claimRef');
  if (reference['name'] !== metadata.name || reference['namespace'] !== metadata.namespace) return false;
  return reference['uid'] === undefined || reference['uid'] === '' || reference['uid'] === metadata.uid;
}

function fits(claim: ApiObject, volume: ApiObject): boolean {
  if (volume.metadata.deletionTimestamp !== undefined) return false;
  const named = objectAt(volume, 'spec')['claimRef'] !== undefined;
  if (named ? !isMeantFor(volume, claim) : stringAt(volume, 'status', 'phase') !== 'Available') return false;
  const selector = objectAt(claim, 'spec')['selector'];
  if (selector !== undefined && !named) {
    if (!labelSelectorFromObject(objectAt(claim, 'spec', 'selector')).matches(volume.metadata.labels ?? {}))
      return false;
  }
  const modes = modesOf(volume);
  return (
    stringAt(claim, 'spec', 'storageClassName') === stringAt(volume, 'spec', 'storageClassName') &&
    (stringAt(claim, 'spec', 'volumeMode') || 'Filesystem') ===
      (stringAt(volume, 'spec', 'volumeMode') || 'Filesystem') &&
    modesOf(claim).every((mode) => modes.includes(mode)) &&
    compareQuantities(capacity(volume), stringAt(claim, 'spec', 'resources', 'requests', 'storage') || '0') >= 0
  );
}

function modesOf(object: ApiObject): readonly unknown[] {
  const modes = objectAt(object, 'spec')['accessModes'];
  return Array.isArray(modes) ? modes : [];
}

function capacity(volume: ApiObject): string {
  return stringAt(volume, 'spec', 'capacity', 'storage') || '0';
}
