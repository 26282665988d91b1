import type { ExecConfig } from './exec-config.js';

/** A cluster as it is written. */
export interface RawCluster {
  readonly server?: string;
  readonly 'certificate-authority'?: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'tls-server-name'?: string;
  readonly 'proxy-url'?: string;
  readonly extensions?: readonly { readonly name?: string; readonly extension?: unknown }[];
}

/** A user as it is written. */
export interface RawUser {
  readonly 'client-certificate'?: string;
  readonly 'client-certificate-data'?: string;
  readonly 'client-key'?: string;
  readonly 'client-key-data'?: string;
  readonly token?: string;
  readonly username?: string;
  readonly password?: string;
  readonly exec?: ExecConfig;
  readonly 'auth-provider'?: { readonly name?: string; readonly config?: Readonly<Record<string, string>> };
  readonly tokenFile?: string;
  readonly as?: string;
  readonly 'as-uid'?: string;
  readonly 'as-groups'?: readonly string[];
  readonly 'as-user-extra'?: Readonly<Record<string, readonly string[]>>;
}

/** A context as it is written. */
export interface RawContext {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
}

/** A kubeconfig as it is written. */
export interface RawKubeconfig {
  readonly 'current-context'?: string;
  readonly users?: readonly ({ readonly name?: string; readonly user?: RawUser | null } | null)[] | null;
  readonly clusters?: readonly ({ readonly name?: string; readonly cluster?: RawCluster | null } | null)[] | null;
  readonly contexts?: readonly ({ readonly name?: string; readonly context?: RawContext | null } | null)[] | null;
}

/** Whether a file holds nothing but comments, as one does that was emptied or only touched. */
export function saysNothing(text: string): boolean {
  return text.split('\n').every((line) => /^\uFEFF?\s*(?:---|\.\.\.|null|~|\{\s*\})?\s*(?:#.*)?$/.test(line));
}

/**
 * Reads a kubeconfig as kubectl does: kind and version may be left out, and of a key that stands there twice the last one counts. Throws
 * an Error that says what is wrong, and where; it shows nothing of the text, which may hold secrets, and neither does a cause.
 */
export async function parsedKubeconfig(text: string): Promise<RawKubeconfig> {
  const raw = await documentOf(text);
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw new Error(`it is no kubeconfig: ${SHAPE}`);
  const { kind = 'Config', apiVersion = 'v1' } = raw as { readonly kind?: unknown; readonly apiVersion?: unknown };
  if (kind !== 'Config' || apiVersion !== 'v1')
    throw new Error(`it is a ${String(kind)} of ${String(apiVersion)}, and no kubeconfig: ${SHAPE}`);
  const kubeconfig = raw as RawKubeconfig;
  for (const field of ['clusters', 'users', 'contexts'] as const) checkNames(field, kubeconfig[field] ?? []);
  return kubeconfig;
}

const SHAPE = "one is a map with 'clusters', 'users' and 'contexts', of kind Config and version v1";

async function documentOf(text: string): Promise<unknown> {
  const { load } = await import('js-yaml');
  try {
    return load(text, { json: true });
  } catch (error) {
    throw withoutText(error);
  }
}

/** The message of the parser has the lines around. */
function withoutText(error: unknown): Error {
  const { reason, mark } = error as { readonly reason: string; readonly mark?: { readonly line: number } };
  return new Error(`it cannot be read as YAML: ${reason}${mark ? ` in line ${mark.line + 1}` : ''}`);
}

function checkNames(field: string, entries: unknown): void {
  if (!Array.isArray(entries)) throw new Error(`field '${field}' is not a list`);
  const names = (entries as readonly ({ readonly name?: string } | null)[]).map((entry) => entry?.name);
  const twice = names.find((name, index) => name !== undefined && names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new Error(`field '${field}' has two entries with the name '${twice}': keep one of them`);
}
