import { chmod, writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';

/** What a client needs to reach a server. */
export interface KubeconfigEntry {
  readonly server: string;
  /** PEM. */
  readonly certificateAuthority: string;
  readonly token: string;
}

/** A kubeconfig with one context, which is the current one. */
export function kubeconfigText({ server, certificateAuthority, token }: KubeconfigEntry): string {
  const name = 'kubewright';
  const authority = Buffer.from(certificateAuthority).toString('base64');
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name, cluster: { server, 'certificate-authority-data': authority } }],
      users: [{ name, user: { token } }],
      contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
      'current-context': name,
    },
    { lineWidth: 0 },
  );
}

/** Writes the text so that nobody but the owner can read it, also where the file was there before. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
  await chmod(path, 0o600);
}
