import { formatLabels } from '@kubewright/api/selectors';
import { objectAt, objectsAt, stringAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';

const states = ['Issued', 'Denied', 'Failed'];

/** The strategy for PodCertificateRequests of Kubernetes 1.37. Only the schema validates the objects. */
export const podCertificateRequestStrategy: Partial<Strategy> = {
  allowUnconditionalUpdate: false,
  selectableFields: ['spec.signerName', 'spec.podName', 'spec.nodeName'],
  cells: (request) => {
    const spec = objectAt(request, 'spec');
    const types = objectsAt(request, 'status', 'conditions').map(({ type }) => type);
    return [
      request.metadata.name,
      ...['podName', 'serviceAccountName', 'nodeName', 'signerName'].map((field) => stringAt(spec, field)),
      types.findLast((type) => states.includes(String(type))) ?? 'Pending',
      formatLabels(objectAt(spec, 'unverifiedUserAnnotations') as Record<string, string>) || '<none>',
    ];
  },
};
