import type { KubeObject } from '@kubewright/api';
import { NetworkPolicy } from '@kubewright/api/networking/v1';
import { portOf } from './manager-manifests.js';
import type { Manifest } from './manifest-text.js';
import type { ManifestsInput } from './manifests-input.js';
import { objectNames } from './object-names.js';
import { operatorLabels, podSelector } from './operator-labels.js';

/**
 * Returns the ServiceMonitor that configures the Prometheus Operator to scrape the metrics; undefined if the operator serves no metrics.
 */
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
          // Prometheus cannot verify the certificate, because the operator generates a self-signed certificate when it starts.
          ...(metrics.secure && { tlsConfig: { insecureSkipVerify: true } }),
        },
      ],
    },
  };
}

/**
 * Returns the network policy of the operator. Only Pods in namespaces with the label `metrics: enabled` can reach the metrics port; all
 * other ingress traffic is denied. If the operator serves no metrics, all ingress traffic is denied.
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
