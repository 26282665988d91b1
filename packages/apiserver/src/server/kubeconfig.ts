import { chmod, writeFile } from 'node:fs/promises';

/** The credentials of a user: a token, or a client certificate and its key (PEM). */
export type KubeconfigCredentials = { readonly token: string } | { readonly certificate: string; readonly key: string };

/** The values of a kubeconfig: the URL of a server, its certificate authority, and the credentials of a user. */
export interface KubeconfigEntry {
  readonly server: string;
  /** The certificate authority of the server's certificate, as PEM. */
  readonly certificateAuthority: string;
  readonly credentials: KubeconfigCredentials;
}

/** Returns a kubeconfig with one context, which is the current context. */
export function kubeconfigText({ server, certificateAuthority, credentials }: KubeconfigEntry): string {
  // The template does not need a YAML library: the URL and base64 data need no quotes, and the token is a JSON string, which is valid YAML.
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

/** Returns the lines with the credentials of a user. Quotes a token, because YAML can read an unquoted token as a number. */
function userEntry(credentials: KubeconfigCredentials): string {
  if ('token' in credentials) return `      token: ${JSON.stringify(credentials.token)}`;
  const { certificate, key } = credentials;
  return `      client-certificate-data: ${base64(certificate)}\n      client-key-data: ${base64(key)}`;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** Writes the text to a file that only the owner can read. Also restricts the mode of an existing file. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
  await chmod(path, 0o600);
}
