import type { JsonDraft } from '../../../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';

/**
 * Returns whether the kubelet restarts a container after an exit. The first matching rule of the container has precedence over its restart
 * policy, which has precedence over the policy of the Pod. An init container that has succeeded is only restarted as a sidecar.
 */
export function isRestarted(
  container: JsonDraft,
  { podPolicy, isInit }: { readonly podPolicy: string; readonly isInit: boolean },
  exitCode: number,
): boolean {
  const rule = objectsAt(container, 'restartPolicyRules').find((each) => isMatching(each, exitCode));
  if (rule !== undefined && stringAt(rule, 'action') === 'Restart') return true;
  const policy = stringAt(container, 'restartPolicy') || (isInit && podPolicy === 'Always' ? 'OnFailure' : podPolicy);
  return policy !== 'Never' && (policy !== 'OnFailure' || exitCode !== 0);
}

function isMatching(rule: JsonDraft, exitCode: number): boolean {
  const { operator, values } = objectAt(rule, 'exitCodes');
  const isListed = Array.isArray(values) && values.includes(exitCode);
  return operator === 'In' ? isListed : operator === 'NotIn' && !isListed;
}
