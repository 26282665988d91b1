import type { KubeObject } from '@kubewright/api';
import { NetworkPolicy } from '@kubewright/api/networking/v1';
import { portOf } from './manager-manifests.js';
import type { Manifest } from './manifest-text.js';
import type { ManifestsInput } from './manifests-input.js';
import { objectNames } from './object-names.js';
import { operatorLabels, podSelector } from './operator-labels.js';

/** Returns the ServiceMonitor with which the Prometheus Operator finds the metrics; undefined if the operator serves no metrics. */
export function serviceMonitor(input: ManifestsInput): Manifest | undefined {
  const { metrics } = input.operator;
  if (metrics === false) return undefined;
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: {
      name: objectNames(input.settings).metrics,
      namespace: input.settings.namespace,
      labels: { ...operatorLabels(input), ...podSelector(input) },
    },
    spec: {
      selector: { matchLabels: podSelector(input) },
      endpoints: [
        {
          port: portOf(metrics),
          path: '/metrics',
          scheme: portOf(metrics),
          ...(metrics.protect && { bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token' }),
          // The operator generates a self-signed certificate at its start, which no client can verify.
          ...(metrics.secure && { tlsConfig: { insecureSkipVerify: true } }),
        },
      ],
    },
  };
}

/**
 * Returns the network policy that allows only Pods in namespaces with the label `metrics: enabled` to reach the operator, and only its
 * metrics.
 */
export function networkPolicy(input: ManifestsInput): KubeObject {
  const { metrics } = input.operator;
  const { settings } = input;
  return new NetworkPolicy({
    metadata: {
      name: objectNames(settings).networkPolicy,
      namespace: settings.namespace,
      labels: operatorLabels(input),
    },
    spec: {
      podSelector: { matchLabels: podSelector(input) },
      policyTypes: ['Ingress'],
      ...(metrics !== false && {
        ingress: [
          {
            from: [{ namespaceSelector: { matchLabels: { metrics: 'enabled' } } }],
            ports: [{ port: metrics.port, protocol: 'TCP' }],
          },
        ],
      }),
    },
  });
}
