import { ServiceAccount } from '@kubewright/api/core/v1';
import type { Manifest } from './manifest-text.js';
import type { ManifestsInput } from './manifests-input.js';
import { objectNames } from './object-names.js';
import { operatorLabels } from './operator-labels.js';

/** The ServiceAccount of the operator and what it may do, by file. */
export function roleManifests(input: ManifestsInput): Readonly<Record<string, readonly Manifest[]>> {
  const { name, namespace } = { name: objectNames(input.settings).manager, namespace: input.settings.namespace };
  return {
    'service_account.yaml': [new ServiceAccount({ metadata: { name, namespace, labels: operatorLabels(input) } })],
  };
}
