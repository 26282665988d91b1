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

/** Adds the taint `not-ready` to a new Node, so that the scheduler does not use the Node before a controller has checked its conditions. */
export const newNodeTaint: AdmissionCheck = ({ operation, definition, object, context }) => {
  if (definition.storageBucket !== '/nodes' || object === undefined || operation !== 'CREATE') return;
  if (context.subresource !== undefined) return;
  const spec = madeAt(object, 'spec');
  const taint = { key: brokenNode[0], effect: 'NoSchedule' };
  const taints = objectsAt(spec, 'taints');
  if (taints.some(({ key, effect }) => key === taint.key && effect === taint.effect)) return;
  spec['taints'] = [...taints, taint];
};
