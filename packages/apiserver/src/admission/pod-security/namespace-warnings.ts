import type { ApiObject } from '../../registry/objects/api-object.js';
import { type LevelVersion, levelText } from './security-policy.js';
import { violationsOf } from './violations.js';

/** The largest number of Pods that an update of a namespace checks. */
const mostPods = 3000;

/**
 * Returns the warnings about existing Pods that violate the new enforced level of a namespace: a general warning, and one warning for each
 * combination of violations. The latter contains the name of the first Pod, and the number of other Pods with the same violations. Checks
 * up to 3000 Pods, and returns a warning if there are more Pods.
 */
export function newPodSecurityWarnings(
  namespace: string,
  enforce: LevelVersion,
  pods: readonly ApiObject[],
): readonly string[] {
  const checked = firstOfEachController(pods).slice(0, mostPods);
  const found = new Map<string, string[]>();
  for (const pod of checked) {
    const reasons = violationsOf(pod, enforce).map(({ reason }) => reason);
    if (reasons.length === 0) continue;
    const text = reasons.join(', ');
    const names = found.get(text);
    if (names === undefined) found.set(text, [pod.metadata.name]);
    else names.push(pod.metadata.name);
  }
  const level = JSON.stringify(levelText(enforce));
  const unchecked = `new PodSecurity enforce level only checked against the first ${checked.length} of ${pods.length} existing pods`;
  return [
    ...(checked.length < pods.length ? [unchecked] : []),
    ...(found.size > 0
      ? [`existing pods in namespace "${namespace}" violate the new PodSecurity enforce level ${level}`]
      : []),
    ...[...found].map(([reasons, names]) => `${namesText(names)}: ${reasons}`).toSorted(),
  ];
}

function namesText(names: readonly string[]): string {
  const [first] = names.toSorted();
  const others = names.length - 1;
  if (others === 0) return `${first}`;
  return `${first} (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
}

/** Returns the Pods in the order of their checks: first Pods without a controller and one Pod of each controller, then all other Pods. */
function firstOfEachController(pods: readonly ApiObject[]): readonly ApiObject[] {
  const seen = new Set<string>();
  const others: ApiObject[] = [];
  const first = pods.filter((pod) => {
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
    if (owner === undefined) return true;
    if (seen.has(owner)) {
      others.push(pod);
      return false;
    }
    seen.add(owner);
    return true;
  });
  return [...first, ...others];
}
