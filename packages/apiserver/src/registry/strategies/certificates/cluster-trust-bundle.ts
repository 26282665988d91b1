import { stringAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';

/** The strategy for ClusterTrustBundles of Kubernetes 1.37. Only the schema validates the objects. */
export const clusterTrustBundleStrategy: Partial<Strategy> = {
  allowUnconditionalUpdate: false,
  selectableFields: ['spec.signerName'],
  cells: (bundle) => [bundle.metadata.name, stringAt(bundle, 'spec', 'signerName') || '<none>'],
};
