import type { ApiObject } from '../../../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import type { Registry } from '../../../registry/registry.js';
import { keyText } from '../../objects/object-reference.js';
import { claimNames, waitsForPod } from '../../objects/volume-claims.js';
import type { NodeView } from './cluster-view.js';
import type { UnfitNode } from './node-fit.js';
import { matchesTerm } from './node-match.js';

/** A claim that prevents the scheduling of a Pod, and the reason. */
export interface VolumeProblem {
  /** The key of the claim. */
  readonly claim: string;
  readonly reason: string;
}

/** Returns the first claim that prevents the scheduling of a Pod on every node, if any. */
export function volumeProblem(registry: Registry, pod: ApiObject): VolumeProblem | undefined {
  const claims = registry.builtIn('/v1/persistentvolumeclaims');
  for (const name of claimNames(pod)) {
    const key = { name, namespace: pod.metadata.namespace };
    const reason = claimProblem(registry, name, claims.find(key));
    if (reason !== undefined) return { claim: keyText(key), reason };
  }
  return undefined;
}

/** Returns a function that returns the reason why a node cannot use the volumes of a Pod, if any. */
export function volumeReasonsOf(registry: Registry, pod: ApiObject): (view: NodeView) => readonly UnfitNode[] {
  const claims = registry.builtIn('/v1/persistentvolumeclaims');
  const volumes = registry.builtIn('/v1/persistentvolumes');
  const terms = claimNames(pod).flatMap((name) => {
    const claim = claims.find({ name, namespace: pod.metadata.namespace });
    const volume = volumes.find({ name: stringAt(claim, 'spec', 'volumeName') });
    const required = objectAt(volume, 'spec', 'nodeAffinity', 'required');
    return required['nodeSelectorTerms'] === undefined ? [] : [objectsAt(required, 'nodeSelectorTerms')];
  });
  return ({ node }) => {
    const isUsable = terms.every((each) => each.some((term) => matchesTerm(term, node)));
    return isUsable ? [] : [{ reason: "node(s) didn't match PersistentVolume's node affinity", resolvable: false }];
  };
}

function claimProblem(registry: Registry, name: string, claim: ApiObject | undefined): string | undefined {
  if (claim === undefined) return `persistentvolumeclaim "${name}" not found`;
  if (claim.metadata.deletionTimestamp !== undefined) return `persistentvolumeclaim "${name}" is being deleted`;
  const isBound = stringAt(claim, 'spec', 'volumeName') !== '' || waitsForPod(registry, claim);
  return isBound ? undefined : 'pod has unbound immediate PersistentVolumeClaims';
}
