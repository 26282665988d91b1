import { isAbsolute, dirname, join } from 'node:path';
import type { RequestOptions as HttpsOptions } from 'node:https';
import type { Clock } from '@kubewright/api/clock';
import type { Logger } from '../../log/logger.js';
import type { Connection } from '../connection/connection.js';
import type { CredentialSource } from '../connection/credential-source.js';
import { type ExecCluster, execConfigProblem } from '../credentials/exec-config.js';
import { ExecCredentials } from '../credentials/exec-credentials.js';
import type { ExecPolicy } from '../credentials/exec-policy.js';
import { FileCredentials } from '../credentials/file-credentials.js';
import { keepTokens } from './kept-tokens.js';
import { type ContextEntries, fieldError } from './kubeconfig-files.js';
import { INLINE } from './kubeconfig-source.js';
import type { OidcCredentials } from '../credentials/oidc-credentials.js';
import { pemOf } from './pem-field.js';
import { TokenSource } from '../credentials/token-source.js';
import type { TransportObserver } from '../request/transport-observer.js';

/** The dependencies of `kubeconfigCredentials`. */
export interface CredentialContext {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger | undefined;
  readonly observers: readonly TransportObserver[];
  readonly execPolicy: ExecPolicy;
}

type Credentials = Pick<Connection, 'token' | 'basic' | 'clientCertificate' | 'credentials'>;

/** The name of the cluster extension that is passed to plugins. */
const EXEC_EXTENSION = 'client.authentication.k8s.io/exec';

/**
 * Returns the credentials of a user in a kubeconfig. A token, a token file, a name with a password, and a certificate take precedence over
 * a plugin or an issuer. A plugin or an issuer is called immediately, so that an error is reported at startup. Returns an empty object if
 * the user has no credentials. Rejects with INVALID_KUBECONFIG if a field is invalid or provides no credentials.
 */
export async function kubeconfigCredentials(entries: ContextEntries, around: CredentialContext): Promise<Credentials> {
  const { user, rawUser } = entries;
  const basic = user.username ? { basic: { username: user.username, password: user.password ?? '' } } : {};
  const given = { ...basic, ...(await givenCredentials(entries, around)) };
  if (Object.keys(given).length > 0) return given;
  if (rawUser.exec) return { credentials: await tried(entries, 'exec', execCredentials(entries, around)) };
  const provider = rawUser['auth-provider'];
  if (!provider) return {};
  if (provider.name !== 'oidc') return { token: await otherProvider(entries, around.clock) };
  return { credentials: await tried(entries, 'auth-provider', await oidcCredentials(entries, around)) };
}

/** Returns the credentials that are in the kubeconfig, or in files to which the kubeconfig refers. */
async function givenCredentials(entries: ContextEntries, { clock, logger }: CredentialContext): Promise<Credentials> {
  const { user, rawUser } = entries;
  const cert = await pemOf(entries, { field: 'client-certificate', file: user.certFile, data: user.certData });
  const key = await pemOf(entries, { field: 'client-key', file: user.keyFile, data: user.keyData });
  if ((cert === undefined) !== (key === undefined)) {
    const field = cert === undefined ? 'client-certificate' : 'client-key';
    throw fieldError(entries, field, { message: 'is missing: a certificate and a key are both required' });
  }
  const clientCertificate = cert === undefined || key === undefined ? undefined : { cert, key };
  const certificateFiles =
    user.certFile && user.keyFile && !user.certData && !user.keyData
      ? { cert: user.certFile, key: user.keyFile }
      : undefined;
  const { tokenFile } = rawUser;
  const token = user.token?.trim() || undefined;
  if (tokenFile === undefined && certificateFiles === undefined) {
    return { ...(token && { token }), ...(clientCertificate && { clientCertificate }) };
  }
  const files = new FileCredentials({ tokenFile, token, certificateFiles, clientCertificate, clock, logger });
  const field = tokenFile === undefined ? 'client-certificate' : 'tokenFile';
  return { ...(clientCertificate && { clientCertificate }), credentials: await tried(entries, field, files) };
}

function execCredentials(entries: ContextEntries, around: CredentialContext): ExecCredentials {
  const { exec: config = {} } = entries.rawUser;
  const problem = execConfigProblem(config);
  if (problem !== undefined) throw fieldError(entries, 'exec', { message: problem });
  const { clock, env, observers, execPolicy: policy } = around;
  const terminal = process.stdin.isTTY;
  return new ExecCredentials({ config, cluster: execCluster(entries), policy, clock, env, observers, terminal });
}

function execCluster({ cluster, rawCluster }: ContextEntries): ExecCluster {
  const config = rawCluster.extensions?.find(({ name }) => name === EXEC_EXTENSION)?.extension;
  return {
    server: cluster.server,
    ...(cluster.tlsServerName ? { 'tls-server-name': cluster.tlsServerName } : {}),
    ...(cluster.skipTLSVerify ? { 'insecure-skip-tls-verify': true } : {}),
    ...(cluster.caData ? { 'certificate-authority-data': cluster.caData } : {}),
    ...(cluster.proxyUrl ? { 'proxy-url': cluster.proxyUrl } : {}),
    ...(config === undefined ? {} : { config }),
  };
}

async function oidcCredentials(entries: ContextEntries, around: CredentialContext): Promise<OidcCredentials> {
  const { config = {} } = entries.rawUser['auth-provider'] ?? {};
  const { 'idp-issuer-url': issuer, 'client-id': clientId } = config;
  const missing = issuer ? 'client-id' : 'idp-issuer-url';
  if (!issuer || !clientId)
    throw fieldError(entries, 'auth-provider', { message: `has no '${missing}' in its config` });
  const file = config['idp-certificate-authority'];
  const directory = entries.userFile === INLINE ? process.cwd() : dirname(entries.userFile);
  const ca = await pemOf(entries, {
    field: 'idp-certificate-authority',
    file: file === undefined || isAbsolute(file) ? file : join(directory, file),
    data: config['idp-certificate-authority-data'],
  });
  const oidc = await import('../credentials/oidc-credentials.js');
  return new oidc.OidcCredentials({
    issuer,
    clientId,
    clientSecret: config['client-secret'] || undefined,
    idToken: config['id-token'] || undefined,
    refreshToken: config['refresh-token'] || undefined,
    ca,
    clock: around.clock,
    env: around.env,
    keep: (tokens) => keepTokens(entries, tokens, around.logger),
  });
}

/** Gets a credential from the source, and returns the source. Rejects with INVALID_KUBECONFIG if the source fails. */
async function tried<S extends CredentialSource>(entries: ContextEntries, field: string, source: S): Promise<S> {
  try {
    await source.get();
    return source;
  } catch (error) {
    throw fieldError(entries, field, { message: `provided no credentials: ${(error as Error).message}`, cause: error });
  }
}

/**
 * Returns a function that returns the current token of an auth provider that client-node supports. The token is requested again after 50 s.
 */
async function otherProvider(entries: ContextEntries, clock: Clock): Promise<() => Promise<string | undefined>> {
  const { KubeConfig } = await import('./kubeconfig-library.js');
  const config = new KubeConfig();
  const cluster = { name: entries.cluster.name, server: 'https://unused.invalid', skipTLSVerify: false };
  config.loadFromOptions({
    clusters: [cluster],
    users: [{ name: entries.user.name, authProvider: entries.rawUser['auth-provider'] }],
    contexts: [{ name: entries.context.name, cluster: cluster.name, user: entries.user.name }],
    currentContext: entries.context.name,
  });
  const source = new TokenSource(async () => {
    const applied: HttpsOptions = { headers: {} };
    await config.applyToHTTPSOptions(applied);
    const headers = applied.headers as Readonly<Record<string, string | undefined>>;
    return headers['Authorization']?.replace(/^Bearer /, '');
  }, clock);
  await source.get().catch(() => {
    // The error of client-node is not used, because it can contain the output or the arguments of the command that prints the token.
    const { name, config: { 'cmd-path': command } = {} } = entries.rawUser['auth-provider'] ?? {};
    const remedy =
      command === undefined ? 'log in again' : `run '${command}' by hand to see the reason, or log in again`;
    throw fieldError(entries, 'auth-provider', {
      message: `provided no credentials: provider '${name}' failed; ${remedy}`,
    });
  });
  return () => source.get();
}
