import { createRequire } from 'node:module';
import type { Connection } from '@kubewright/runtime';

/** The text of a kubeconfig for a connection. A token has to be a string, since a file cannot ask for one. */
export function kubeconfigOf({ server, ca, token, clientCertificate, namespace = 'default' }: Connection): string {
  // Loaded when somebody wants the text, which most tests do not.
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
