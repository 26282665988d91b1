import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import {
  clustersOf,
  contextsOf,
  type KubeconfigCluster,
  type KubeconfigContext,
  type KubeconfigUser,
  usersOf,
} from './kubeconfig-entries.js';
import { INLINE, shownKubeconfig } from './kubeconfig-source.js';
import { parsedKubeconfig, type RawCluster, type RawUser } from './parsed-kubeconfig.js';

/** The text of a kubeconfig, and its origin. */
export interface KubeconfigText {
  /** A path, or '(inline)'. */
  readonly file: string;
  readonly text: string;
}

/** The entries of a context, merged from one or several files. */
export interface ContextEntries {
  /** The file of the context, for messages. */
  readonly file: string;
  readonly context: KubeconfigContext;
  readonly cluster: KubeconfigCluster;
  readonly user: KubeconfigUser;
  readonly rawUser: RawUser;
  readonly rawCluster: RawCluster;
  /** The file of the user. */
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

/** Returns an error that names the location of a defect in a kubeconfig. */
export function kubeconfigError(file: string, message: string, cause?: unknown): KubewrightError {
  return new KubewrightError('INVALID_KUBECONFIG', `kubeconfig ${file}: ${message}`, { cause });
}

/**
 * Returns the entries of the requested context, or of the current context. If several files contain an entry, the first file takes
 * precedence, as with kubectl. Throws INVALID_KUBECONFIG with file, context and field in the message.
 */
export async function contextEntries(
  texts: readonly KubeconfigText[],
  desired: string | undefined,
): Promise<ContextEntries> {
  const files = await Promise.all(texts.map(loaded));
  const all = texts.map((text) => text.file).join(', ');
  const name = desired ?? files.map((file) => file.currentContext).find((current) => current);
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
    file,
    context: context.entry,
    cluster: cluster.entry,
    user: user?.entry ?? { name: '' },
    rawUser,
    rawCluster,
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

/** Resolves relative paths against the directory of the kubeconfig. A plugin command without a slash is searched in PATH. */
function withAbsolutePaths(user: RawUser, directory: string): RawUser {
  const { tokenFile, exec } = user;
  const absolute = (path: string): string => (isAbsolute(path) ? path : join(directory, path));
  return {
    ...user,
    ...(tokenFile === undefined ? {} : { tokenFile: absolute(tokenFile) }),
    ...(exec?.command?.includes('/') ? { exec: { ...exec, command: absolute(exec.command) } } : {}),
  };
}

/** Returns an error that names the field and the context of a defect. */
export function fieldError(
  entries: ContextEntries,
  field: string,
  { message, cause }: { readonly message: string; readonly cause?: unknown },
): KubewrightError {
  return kubeconfigError(entries.file, `context '${entries.context.name}': field '${field}' ${message}`, cause);
}

/**
 * Reads a kubeconfig file. Returns undefined if the file does not exist. Throws INVALID_KUBECONFIG if the file cannot be read. If the value
 * is too long for a path, the message shows neither the value nor the file system's error, which repeats the value.
 */
export async function kubeconfigFile(file: string): Promise<KubeconfigText | undefined> {
  try {
    return { file, text: await readFile(file, 'utf8') };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    const shown = shownKubeconfig(file);
    if (shown === file) throw kubeconfigError(file, `cannot read the file: ${message}`, error);
    throw kubeconfigError(shown, `cannot read the file (${code}); ${TEXT_OR_PATH}`);
  }
}

/** The values that options for a kubeconfig accept. */
export const TEXT_OR_PATH = 'use a path, or the text of a kubeconfig as YAML or JSON';
