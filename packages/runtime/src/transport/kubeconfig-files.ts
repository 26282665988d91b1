import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { Cluster, Context, User } from '@kubernetes/client-node';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import { INLINE, shownKubeconfig } from './kubeconfig-source.js';
import { parsedKubeconfig, type RawCluster, type RawUser } from './parsed-kubeconfig.js';

/** A kubeconfig, and where its text is from. */
export interface KubeconfigText {
  /** A path, or '(inline)'. */
  readonly file: string;
  readonly text: string;
}

/** The entries of a context, merged from one or several files. */
export interface ContextEntries {
  /** The file of the context, for messages. */
  readonly file: string;
  readonly context: Context;
  readonly cluster: Cluster;
  readonly user: User;
  readonly rawUser: RawUser;
  readonly rawCluster: RawCluster;
  /** The file of the user. */
  readonly userFile: string;
}

interface Loaded {
  readonly file: string;
  readonly currentContext: string | undefined;
  readonly contexts: readonly Context[];
  readonly clusters: readonly Cluster[];
  readonly users: readonly User[];
  readonly rawUsers: ReadonlyMap<string, RawUser>;
  readonly rawClusters: ReadonlyMap<string, RawCluster>;
}

/** An error that says where in a kubeconfig something is wrong. */
export function kubeconfigError(file: string, message: string, cause?: unknown): KubewrightError {
  return new KubewrightError('INVALID_KUBECONFIG', `kubeconfig ${file}: ${message}`, { cause });
}

/**
 * The context that is asked for, or the current one. Of several files the first that has an entry wins, as for kubectl. Throws
 * INVALID_KUBECONFIG, with file, context and field in the message.
 */
export async function contextEntries(
  texts: readonly KubeconfigText[],
  wanted: string | undefined,
): Promise<ContextEntries> {
  const files = await Promise.all(texts.map(loaded));
  const all = texts.map((text) => text.file).join(', ');
  const name = wanted ?? files.map((file) => file.currentContext).find((current) => current);
  if (!name) throw kubeconfigError(all, "field 'current-context' is not set: set it, or say which context to use");
  const context = first(files, (file) => file.contexts, name);
  if (context === undefined) {
    const known = files.flatMap((file) => file.contexts.map((entry) => entry.name));
    const names = [...new Set(known)].join(', ');
    throw kubeconfigError(all, `context '${name}' is not among 'contexts' (${names || 'there are none'})`);
  }
  const { file } = context;
  const of = `context '${name}'`;
  const cluster = first(files, (from) => from.clusters, context.entry.cluster);
  if (cluster === undefined)
    throw kubeconfigError(
      file,
      `${of}: field 'cluster' names '${context.entry.cluster}', which is not among 'clusters'`,
    );
  const user = first(files, (from) => from.users, context.entry.user);
  if (user === undefined && context.entry.user) {
    throw kubeconfigError(file, `${of}: field 'user' names '${context.entry.user}', which is not among 'users'`);
  }
  const rawUser = files.find((from) => from.file === user?.file)?.rawUsers.get(context.entry.user) ?? {};
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

/** Loads what kubeconfigs are read with, which is large: who does it early has less to wait for later. No kubeconfig is looked at. */
export async function loadKubeconfigLibrary(): Promise<void> {
  await import('./kubeconfig-library.js');
}

async function loaded({ file, text }: KubeconfigText): Promise<Loaded> {
  const { KubeConfig } = await import('./kubeconfig-library.js');
  try {
    const raw = await parsedKubeconfig(text);
    const config = new KubeConfig();
    config.loadFromString(JSON.stringify(raw));
    const directory = file === INLINE ? process.cwd() : dirname(file);
    config.makePathsAbsolute(directory);
    const rawUsers = new Map<string, RawUser>();
    for (const { name, user } of raw.users ?? []) {
      if (name !== undefined && user) rawUsers.set(name, withAbsolutePaths(user, directory));
    }
    const rawClusters = new Map<string, RawCluster>();
    for (const { name, cluster } of raw.clusters ?? []) {
      if (name !== undefined && cluster) rawClusters.set(name, cluster);
    }
    const { contexts, clusters, users } = config;
    return { file, currentContext: config.getCurrentContext(), contexts, clusters, users, rawUsers, rawClusters };
  } catch (error) {
    throw kubeconfigError(file, messageOf(error), error);
  }
}

/** Paths in a kubeconfig are relative to it; a plugin without a slash is looked for in PATH. */
function withAbsolutePaths(user: RawUser, directory: string): RawUser {
  const { tokenFile, exec } = user;
  const absolute = (path: string): string => (isAbsolute(path) ? path : join(directory, path));
  return {
    ...user,
    ...(tokenFile === undefined ? {} : { tokenFile: absolute(tokenFile) }),
    ...(exec?.command?.includes('/') ? { exec: { ...exec, command: absolute(exec.command) } } : {}),
  };
}

/** An error that says which field of which context is wrong. */
export function fieldError(
  entries: ContextEntries,
  field: string,
  { message, cause }: { readonly message: string; readonly cause?: unknown },
): KubewrightError {
  return kubeconfigError(entries.file, `context '${entries.context.name}': field '${field}' ${message}`, cause);
}

/**
 * Reads a kubeconfig file. Returns undefined if the file does not exist. Throws INVALID_KUBECONFIG if the file cannot be read. A value
 * that is not a path is not shown, and neither is an error of the file system, which repeats the path.
 */
export async function kubeconfigFile(file: string): Promise<KubeconfigText | undefined> {
  try {
    return { file, text: await readFile(file, 'utf8') };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    const shown = shownKubeconfig(file);
    if (shown === file) throw kubeconfigError(file, `it cannot be read: ${message}`, error);
    throw kubeconfigError(shown, `it cannot be read as a file (${code}); ${TEXT_OR_PATH}`);
  }
}

/** What the options that take a kubeconfig accept. */
export const TEXT_OR_PATH = "write a path, or the kubeconfig's text as YAML or JSON";
