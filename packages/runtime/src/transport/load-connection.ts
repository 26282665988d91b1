import { readFile } from 'node:fs/promises';
import type { RequestOptions as HttpsOptions } from 'node:https';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Clock, SystemClock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { Connection, Impersonation } from './connection.js';
import { inClusterConnection, SERVICE_ACCOUNT_DIRECTORY } from './in-cluster.js';
import {
  type ContextEntries,
  contextEntries,
  INLINE,
  type KubeconfigText,
  kubeconfigError,
  kubeconfigFile,
  type RawUser,
} from './kubeconfig-files.js';
import { TokenSource } from './token-source.js';

export interface LoadConnectionOptions {
  /** A path, or the text of a kubeconfig. @default KUBECONFIG, ~/.kube/config, then the service account of the Pod */
  readonly kubeconfig?: string | { readonly inline: string } | undefined;
  /** @default the current context of the kubeconfig */
  readonly context?: string | undefined;
  /** For tokens that are read again. @default the time of this machine */
  readonly clock?: Clock;
  /** @default those of this process */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** @default where the kubelet puts it */
  readonly serviceAccountDirectory?: string;
}

/**
 * Finds out where the API server is and how to be let in. Rejects with INVALID_KUBECONFIG, naming file, context and field, and with
 * NO_CLUSTER when there is neither a kubeconfig nor a Pod around.
 */
export async function loadConnection(options: LoadConnectionOptions = {}): Promise<Connection> {
  const clock = options.clock ?? new SystemClock();
  const env = options.env ?? process.env;
  const texts = await kubeconfigTexts(options, env);
  if (texts.length > 0) return connectionOf(await contextEntries(texts, options.context), clock);
  const directory = options.serviceAccountDirectory ?? SERVICE_ACCOUNT_DIRECTORY;
  const inCluster = await inClusterConnection({ env, directory, clock });
  if (inCluster !== undefined) return inCluster;
  throw new KubewrightError(
    'NO_CLUSTER',
    'no cluster to connect to: KUBECONFIG is not set, ~/.kube/config does not exist, and this is no Pod',
  );
}

async function kubeconfigTexts(
  options: LoadConnectionOptions,
  env: NonNullable<LoadConnectionOptions['env']>,
): Promise<readonly KubeconfigText[]> {
  const { kubeconfig } = options;
  if (typeof kubeconfig === 'object') return [{ file: INLINE, text: kubeconfig.inline }];
  const named =
    kubeconfig === undefined ? (env.KUBECONFIG ?? '').split(delimiter).filter((file) => file !== '') : [kubeconfig];
  if (named.length === 0) {
    const found = await kubeconfigFile(join(env.HOME ?? homedir(), '.kube', 'config'));
    return found === undefined ? [] : [found];
  }
  const texts = (await Promise.all(named.map(kubeconfigFile))).filter((text) => text !== undefined);
  if (texts.length === 0) throw kubeconfigError(named.join(', '), 'the file does not exist');
  return texts;
}

async function connectionOf(entries: ContextEntries, clock: Clock): Promise<Connection> {
  const { cluster, context, user, rawUser } = entries;
  checkServer(entries);
  const ca = await pem(entries, { field: 'certificate-authority', file: cluster.caFile, data: cluster.caData });
  const impersonate = impersonationOf(rawUser);
  return {
    server: cluster.server,
    ...(ca === undefined ? {} : { ca }),
    ...(await credentials(entries, clock)),
    ...(user.username ? { basic: { username: user.username, password: user.password ?? '' } } : {}),
    ...(cluster.skipTLSVerify ? { insecureSkipTlsVerify: true } : {}),
    ...(cluster.tlsServerName ? { tlsServerName: cluster.tlsServerName } : {}),
    ...(impersonate === undefined ? {} : { impersonate }),
    ...(context.namespace ? { namespace: context.namespace } : {}),
  };
}

type Credentials = Pick<Connection, 'token' | 'clientCertificate'>;

async function credentials(entries: ContextEntries, clock: Clock): Promise<Credentials> {
  const { user, rawUser } = entries;
  const cert = await pem(entries, { field: 'client-certificate', file: user.certFile, data: user.certData });
  const key = await pem(entries, { field: 'client-key', file: user.keyFile, data: user.keyData });
  if ((cert === undefined) !== (key === undefined)) {
    throw fieldError(
      entries,
      cert === undefined ? 'client-certificate' : 'client-key',
      'is missing: certificate and key go together',
    );
  }
  const certificate = cert === undefined || key === undefined ? {} : { clientCertificate: { cert, key } };
  if (user.exec || user.authProvider) return { ...certificate, ...(await pluginCredentials(entries, clock)) };
  if (rawUser.tokenFile !== undefined) {
    const { tokenFile } = rawUser;
    const source = new TokenSource(() => readFile(tokenFile, 'utf8'), clock);
    await source.get().catch((error: unknown) => {
      if (user.token === undefined)
        throw fieldError(entries, 'tokenFile', `cannot be read: ${(error as Error).message}`, error);
    });
    return { ...certificate, token: () => source.get().catch(() => user.token) };
  }
  return user.token ? { ...certificate, token: user.token.trim() } : certificate;
}

/** What a plugin gives. It is run once here, for its certificate and so that a broken one is told at the start. */
async function pluginCredentials(entries: ContextEntries, clock: Clock): Promise<Credentials> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  const cluster = { name: entries.cluster.name, server: 'https://unused.invalid', skipTLSVerify: false };
  const user = { name: entries.user.name, exec: entries.user.exec, authProvider: entries.user.authProvider };
  config.loadFromOptions({
    clusters: [cluster],
    users: [user],
    contexts: [{ ...entries.context, cluster: cluster.name }],
    currentContext: entries.context.name,
  });
  const run = async (): Promise<HttpsOptions> => {
    const applied: HttpsOptions = { headers: {} };
    await config.applyToHTTPSOptions(applied);
    return applied;
  };
  const field = entries.user.exec ? 'exec' : 'auth-provider';
  const first = await run().catch((error: unknown) => {
    throw fieldError(entries, field, `gave no credentials: ${(error as Error).message}`, error);
  });
  let unused: HttpsOptions | undefined = first;
  const source = new TokenSource(async () => {
    const applied = unused ?? (await run());
    unused = undefined;
    return bearerOf(applied);
  }, clock);
  const certificate =
    first.cert && first.key ? { clientCertificate: { cert: String(first.cert), key: String(first.key) } } : {};
  return { ...certificate, token: () => source.get() };
}

function bearerOf(options: HttpsOptions): string | undefined {
  const headers = options.headers as Readonly<Record<string, string | undefined>> | undefined;
  return headers?.Authorization?.replace(/^Bearer /, '');
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

interface PemField {
  readonly field: 'certificate-authority' | 'client-certificate' | 'client-key';
  readonly file: string | undefined;
  readonly data: string | undefined;
}

async function pem(entries: ContextEntries, { field, file, data }: PemField): Promise<string | undefined> {
  if (data) {
    const text = Buffer.from(data, 'base64').toString('utf8');
    if (text.includes('-----BEGIN ')) return text;
    throw fieldError(entries, `${field}-data`, 'is not PEM in base64');
  }
  if (!file) return undefined;
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw fieldError(entries, field, `cannot be read: ${(error as Error).message}`, error);
  }
}

function checkServer(entries: ContextEntries): void {
  const { server, proxyUrl } = entries.cluster;
  if (!URL.canParse(server) || !/^https?:/.test(server))
    throw fieldError(entries, 'server', `is '${server}', which is not a URL of http or https`);
  if (proxyUrl) throw fieldError(entries, 'proxy-url', 'is not supported: connect to the API server directly');
}

function fieldError(entries: ContextEntries, field: string, message: string, cause?: unknown): KubewrightError {
  return kubeconfigError(entries.file, `context '${entries.context.name}': field '${field}' ${message}`, cause);
}
