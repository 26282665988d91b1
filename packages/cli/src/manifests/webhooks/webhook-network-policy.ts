import type { KubeObject } from '@kubewright/api';
import { NetworkPolicy } from '@kubewright/api/networking/v1';
import type { ManifestsInput } from '../manifests-input.js';
import { objectNames } from '../object-names.js';
import { operatorLabels, podSelector } from '../operator-labels.js';

/**
 * Returns the network policy that allows traffic to the webhook port of the operator; undefined if the operator has no webhooks. The policy
 * does not restrict the source, because API servers usually run outside of the Pod network, so that no selector matches them.
 */
export function webhookNetworkPolicy(input: ManifestsInput): KubeObject | undefined {
  const { settings, operator } = input;
  if (operator.webhooks === undefined) return undefined;
  return new NetworkPolicy({
    metadata: {
      name: objectNames(settings).webhookNetworkPolicy,
      namespace: settings.namespace,
      labels: operatorLabels(input),
    },
    spec: {
      podSelector: { matchLabels: podSelector(input) },
      policyTypes: ['Ingress'],
      ingress: [{ ports: [{ port: operator.webhooks.port, protocol: 'TCP' }] }],
    },
  });
}
