import type { AdmissionCheck } from '../registry/admission/admission-check.js';
import type { JsonDraft } from '../registry/objects/api-object.js';
import { madeAt, objectsAt } from '../registry/objects/json-object.js';

const secondsOnBrokenNode = 300;
const brokenNode = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'] as const;

/**
 * Adds a NoExecute toleration of 300 s to a Pod for each of the node taints `not-ready` and `unreachable` that the Pod does not tolerate.
 */
export const defaultTolerations: AdmissionCheck = ({ operation, definition, object, context }) => {
  if (definition.storageBucket !== '/pods' || object === undefined || operation === 'DELETE') return;
  if (context.subresource !== undefined) return;
  const spec = madeAt(object, 'spec');
  const tolerations: JsonDraft[] = [...objectsAt(spec, 'tolerations')];
  for (const key of brokenNode) {
    const known = objectsAt(spec, 'tolerations').some(
      (toleration) =>
        (toleration['key'] ?? (toleration['operator'] === 'Exists' ? key : '')) === key &&
        (toleration['effect'] ?? 'NoExecute') === 'NoExecute',
    );
    if (known) continue;
    tolerations.push({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: secondsOnBrokenNode });
  }
  spec['tolerations'] = tolerations;
};
