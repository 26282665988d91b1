import { chmod, writeFile } from 'node:fs/promises';

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
  // Written out: the text is always the same but for a URL and base64, and a library for YAML costs memory in every server.
  return `apiVersion: v1
kind: Config
clusters:
  - name: kubewright
    cluster:
      server: ${server}
      certificate-authority-data: ${base64(certificateAuthority)}
users:
  - name: kubewright
    user:
${userEntry(credentials)}
contexts:
  - name: kubewright
    context:
      cluster: kubewright
      user: kubewright
      namespace: default
current-context: kubewright
`;
}

/** A token is quoted: it may look like a number. */
function userEntry(credentials: KubeconfigCredentials): string {
  if ('token' in credentials) return `      token: ${JSON.stringify(credentials.token)}`;
  const { certificate, key } = credentials;
  return `      client-certificate-data: ${base64(certificate)}\n      client-key-data: ${base64(key)}`;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** Writes the text so that nobody but the owner can read it, also where the file was there before. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
  await chmod(path, 0o600);
}
