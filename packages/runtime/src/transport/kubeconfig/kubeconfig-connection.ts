import type { Connection, Impersonation } from '../connection/connection.js';
import { NO_PROXY_URL, proxyAddressOf } from '../proxy/proxy-address.js';
import { type CredentialContext, kubeconfigCredentials } from './kubeconfig-credentials.js';
import { type ContextEntries, contextEntries, fieldError } from './kubeconfig-files.js';
import type { KubeconfigText } from './kubeconfig-texts.js';
import type { RawUser } from './parsed-kubeconfig.js';
import { pemOf } from './pem-field.js';

/**
 * Returns the connection of the given context, or of the current context. Rejects with INVALID_KUBECONFIG if the kubeconfig is invalid.
 * `loadConnection` imports this module only if there is a kubeconfig, so an operator in a Pod does not load the module.
 */
export async function kubeconfigConnection(
  texts: readonly KubeconfigText[],
  requested: string | undefined,
  around: CredentialContext,
): Promise<Connection> {
  const entries = await contextEntries(texts, requested);
  const { cluster, context, rawUser } = entries;
  checkServer(entries);
  const ca = await pemOf(entries, { field: 'certificate-authority', file: cluster.caFile, data: cluster.caData });
  const impersonate = impersonationOf(rawUser);
  return {
    server: cluster.server,
    ...(ca === undefined ? {} : { ca }),
    ...(cluster.caFile && !cluster.caData ? { caFile: cluster.caFile } : {}),
    ...(await kubeconfigCredentials(entries, around)),
    ...(cluster.skipTLSVerify ? { insecureSkipTlsVerify: true } : {}),
    ...(cluster.tlsServerName ? { tlsServerName: cluster.tlsServerName } : {}),
    ...(cluster.proxyUrl ? { proxy: cluster.proxyUrl } : {}),
    ...(impersonate === undefined ? {} : { impersonate }),
    context: context.name,
    ...(context.namespace ? { namespace: context.namespace } : {}),
  };
}

function impersonationOf(user: RawUser): Impersonation | undefined {
  if (user.as === undefined && user['as-groups'] === undefined && user['as-uid'] === undefined) return undefined;
  return {
    ...(user.as === undefined ? {} : { user: user.as }),
    ...(user['as-uid'] === undefined ? {} : { uid: user['as-uid'] }),
    ...(user['as-groups'] === undefined ? {} : { groups: user['as-groups'] }),
    ...(user['as-user-extra'] === undefined ? {} : { extra: user['as-user-extra'] }),
  };
}

function checkServer(entries: ContextEntries): void {
  const { server, proxyUrl } = entries.cluster;
  if (!URL.canParse(server) || !/^https?:/.test(server))
    throw fieldError(entries, 'server', { message: `is '${server}', which is not an http or https URL` });
  if (proxyUrl && proxyAddressOf(proxyUrl) === undefined)
    throw fieldError(entries, 'proxy-url', { message: NO_PROXY_URL });
}
