import { dirname, isAbsolute, join } from 'node:path';
import { type KubewrightError, messageOf } from '@kubewright/api/errors';
import {
  clustersOf,
  contextsOf,
  type KubeconfigCluster,
  type KubeconfigContext,
  type KubeconfigUser,
  usersOf,
} from './kubeconfig-entries.js';
import { INLINE } from './kubeconfig-source.js';
import { type KubeconfigText, kubeconfigError } from './kubeconfig-texts.js';
import { parsedKubeconfig, type RawCluster, type RawUser } from './parsed-kubeconfig.js';

/** The context, cluster and user to use, which can be from several kubeconfig files. */
export interface ContextEntries {
  readonly context: KubeconfigContext;
  readonly cluster: KubeconfigCluster;
  readonly user: KubeconfigUser;
  readonly rawUser: RawUser;
  readonly rawCluster: RawCluster;
  /** The file that contains the cluster. */
  readonly clusterFile: string;
  /** The file that contains the user. If the context has no user, the file that contains the context. */
  readonly userFile: string;
}

interface Loaded {
  readonly file: string;
  readonly currentContext: string | undefined;
  readonly contexts: readonly KubeconfigContext[];
  readonly clusters: readonly KubeconfigCluster[];
  readonly users: readonly KubeconfigUser[];
  readonly rawUsers: ReadonlyMap<string, RawUser>;
  readonly rawClusters: ReadonlyMap<string, RawCluster>;
}

/**
 * Returns the entries of the given context, or of the current context. As with kubectl, the first file that contains an entry takes
 * precedence. Rejects with INVALID_KUBECONFIG if an entry is missing or invalid; the message contains the file, the context and the field.
 */
export async function contextEntries(
  texts: readonly KubeconfigText[],
  requested: string | undefined,
): Promise<ContextEntries> {
  const files = await Promise.all(texts.map(loaded));
  const all = texts.map((text) => text.file).join(', ');
  const name = requested ?? files.map((file) => file.currentContext).find((current) => current);
  if (!name) throw kubeconfigError(all, "field 'current-context' is not set: set it, or specify a context");
  const context = first(files, (file) => file.contexts, name);
  if (context === undefined) {
    const known = files.flatMap((file) => file.contexts.map((entry) => entry.name));
    const names = [...new Set(known)].join(', ');
    throw kubeconfigError(all, `context '${name}' is not in 'contexts' (${names || 'none'})`);
  }
  const { file } = context;
  const of = `context '${name}'`;
  const cluster = first(files, (from) => from.clusters, context.entry.cluster);
  if (cluster === undefined)
    throw kubeconfigError(file, `${of}: field 'cluster' is '${context.entry.cluster}', which is not in 'clusters'`);
  const { user: userName } = context.entry;
  const user = userName === undefined ? undefined : first(files, (from) => from.users, userName);
  if (user === undefined && userName !== undefined) {
    throw kubeconfigError(file, `${of}: field 'user' is '${userName}', which is not in 'users'`);
  }
  const rawUser = files.find((from) => from.file === user?.file)?.rawUsers.get(user?.entry.name ?? '') ?? {};
  const rawCluster = files.find((from) => from.file === cluster.file)?.rawClusters.get(cluster.entry.name) ?? {};
  return {
    context: context.entry,
    cluster: cluster.entry,
    user: user?.entry ?? { name: '' },
    rawUser,
    rawCluster,
    clusterFile: cluster.file,
    userFile: user?.file ?? file,
  };
}

function first<E extends { readonly name: string }>(
  files: readonly Loaded[],
  entries: (file: Loaded) => readonly E[],
  name: string,
): { readonly file: string; readonly entry: E } | undefined {
  for (const file of files) {
    const entry = entries(file).find((candidate) => candidate.name === name);
    if (entry !== undefined) return { file: file.file, entry };
  }
  return undefined;
}

async function loaded({ file, text }: KubeconfigText): Promise<Loaded> {
  try {
    const raw = await parsedKubeconfig(text);
    const directory = file === INLINE ? process.cwd() : dirname(file);
    const [clusters, contexts, users] = [clustersOf(raw, directory), contextsOf(raw), usersOf(raw, directory)];
    const rawUsers = new Map<string, RawUser>();
    for (const entry of raw.users ?? []) {
      if (entry?.name !== undefined && entry.user) rawUsers.set(entry.name, withAbsolutePaths(entry.user, directory));
    }
    const rawClusters = new Map<string, RawCluster>();
    for (const entry of raw.clusters ?? []) {
      if (entry?.name !== undefined && entry.cluster) rawClusters.set(entry.name, entry.cluster);
    }
    return { file, currentContext: raw['current-context'], contexts, clusters, users, rawUsers, rawClusters };
  } catch (error) {
    throw kubeconfigError(file, messageOf(error), error);
  }
}

/**
 * Makes the relative paths of the token file and of the plugin command absolute, based on the directory of the kubeconfig. Does not change
 * a plugin command without a slash, which is searched in PATH.
 */
function withAbsolutePaths(user: RawUser, directory: string): RawUser {
  const { tokenFile, exec } = user;
  const absolute = (path: string): string => (isAbsolute(path) ? path : join(directory, path));
  return {
    ...user,
    ...(tokenFile === undefined ? {} : { tokenFile: absolute(tokenFile) }),
    ...(exec?.command?.includes('/') ? { exec: { ...exec, command: absolute(exec.command) } } : {}),
  };
}

/** The fields of a cluster that errors can name. All other fields are fields of a user. */
const CLUSTER_FIELDS: ReadonlySet<string> = new Set([
  'server',
  'proxy-url',
  'certificate-authority',
  'certificate-authority-data',
]);

/**
 * Returns an error that names the context, the field with the problem, and the file with this field. The field can be in another file than
 * the context.
 */
export function fieldError(
  entries: ContextEntries,
  field: string,
  { message, cause }: { readonly message: string; readonly cause?: unknown },
): KubewrightError {
  const file = CLUSTER_FIELDS.has(field) ? entries.clusterFile : entries.userFile;
  return kubeconfigError(file, `context '${entries.context.name}': field '${field}' ${message}`, cause);
}
