import type { AdmissionCheck } from '../registry/admission-check.js';
import { type JsonDraft, madeAt, objectsAt } from '../registry/json-object.js';

const secondsOnBrokenNode = 300;
const brokenNode = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'] as const;

/** Gives a new Pod the priority 0 and five minutes on a node that breaks, unless it says otherwise. */
export const podDefaults: AdmissionCheck = ({ operation, definition, object }) => {
  if (operation !== 'CREATE' || definition.storageBucket !== '/pods' || object === undefined) return;
  const spec = madeAt(object, 'spec');
  spec['priority'] ??= 0;
  spec['preemptionPolicy'] ??= 'PreemptLowerPriority';
  const tolerations: JsonDraft[] = [...objectsAt(spec, 'tolerations')];
  for (const key of brokenNode) {
    const known = tolerations.some(
      (toleration) => (toleration['key'] ?? key) === key && (toleration['effect'] ?? 'NoExecute') === 'NoExecute',
    );
    if (known) continue;
    tolerations.push({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: secondsOnBrokenNode });
  }
  spec['tolerations'] = tolerations;
};
