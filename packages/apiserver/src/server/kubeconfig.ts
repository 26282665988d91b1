import { chmod, writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';

/** Who somebody is: by token, or by client certificate and key (PEM). */
export type KubeconfigCredentials = { readonly token: string } | { readonly certificate: string; readonly key: string };

/** What a client needs to reach a server. */
export interface KubeconfigEntry {
  readonly server: string;
  /** PEM. */
  readonly certificateAuthority: string;
  readonly credentials: KubeconfigCredentials;
}

/** A kubeconfig with one context, which is the current one. */
export function kubeconfigText({ server, certificateAuthority, credentials }: KubeconfigEntry): string {
  const name = 'kubewright';
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name, cluster: { server, 'certificate-authority-data': base64(certificateAuthority) } }],
      users: [{ name, user: userEntry(credentials) }],
      contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
      'current-context': name,
    },
    { lineWidth: 0 },
  );
}

function userEntry(credentials: KubeconfigCredentials): object {
  if ('token' in credentials) return credentials;
  const { certificate, key } = credentials;
  return { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** Writes the text so that nobody but the owner can read it, also where the file was there before. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
  await chmod(path, 0o600);
}
