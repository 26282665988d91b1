import { frontProxy, frontProxyName } from '../registry/aggregation/front-proxy.js';
import type { Registry } from '../registry/registry.js';
import { publish } from './publish.js';

/**
 * Publishes the authorities and the headers with which aggregated API servers authenticate requests, in the ConfigMap
 * kube-system/extension-apiserver-authentication.
 */
export function publishClusterAuthentication(registry: Registry, clientAuthorities: string): void {
  publish(registry, '/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'extension-apiserver-authentication', namespace: 'kube-system' },
    data: {
      'client-ca-file': clientAuthorities,
      'requestheader-allowed-names': JSON.stringify([frontProxyName]),
      'requestheader-client-ca-file': frontProxy().certificateAuthority,
      'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
      'requestheader-group-headers': '["X-Remote-Group"]',
      'requestheader-uid-headers': '["X-Remote-Uid"]',
      'requestheader-username-headers': '["X-Remote-User"]',
    },
  });
}
