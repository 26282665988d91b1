import { createRequire } from 'node:module';
import type { Connection } from '@kubewright/runtime';

/**
 * Returns the text of a kubeconfig for a connection. Contains only the server, the certificate authorities, the token, the client
 * certificate and the namespace. Omits a token function, because a file cannot call a function.
 */
export function kubeconfigOf({ server, ca, token, clientCertificate, namespace = 'default' }: Connection): string {
  // Loaded on demand, because most tests do not need the text.
  const { stringify } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [
      { name: 'test', cluster: { server, ...(ca !== undefined && { 'certificate-authority-data': base64(ca) }) } },
    ],
    users: [
      {
        name: 'test',
        user: {
          ...(typeof token === 'string' && { token }),
          ...(clientCertificate !== undefined && {
            'client-certificate-data': base64(clientCertificate.cert),
            'client-key-data': base64(clientCertificate.key),
          }),
        },
      },
    ],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace } }],
  });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
