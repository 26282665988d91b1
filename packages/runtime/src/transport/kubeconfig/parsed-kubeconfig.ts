import { valueText } from '@kubewright/api/errors';
import type { ExecConfig } from '../credentials/exec-config.js';

/** A cluster as it is written in a kubeconfig. */
export interface RawCluster {
  readonly server?: string;
  readonly 'certificate-authority'?: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'tls-server-name'?: string;
  readonly 'proxy-url'?: string;
  readonly extensions?: readonly { readonly name?: string; readonly extension?: unknown }[];
}

/** A user as it is written in a kubeconfig. */
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

/** A context as it is written in a kubeconfig. */
export interface RawContext {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
}

/** The parsed content of a kubeconfig, before its entries are validated. */
export interface RawKubeconfig {
  readonly 'current-context'?: string;
  readonly users?: readonly ({ readonly name?: string; readonly user?: RawUser | null } | null)[] | null;
  readonly clusters?: readonly ({ readonly name?: string; readonly cluster?: RawCluster | null } | null)[] | null;
  readonly contexts?: readonly ({ readonly name?: string; readonly context?: RawContext | null } | null)[] | null;
}

/**
 * Parses a kubeconfig in the same way as kubectl: kind and apiVersion are optional, and the last value of a duplicate key applies. Throws
 * an error that describes the problem and its location. The content may be secret. The error contains only the kind, the apiVersion, or a
 * name that two entries share.
 */
export async function parsedKubeconfig(text: string): Promise<RawKubeconfig> {
  const raw = await kubeconfigDocument(text);
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw new Error(`not a kubeconfig: ${SHAPE}`);
  const { kind = 'Config', apiVersion = 'v1' } = raw as { readonly kind?: unknown; readonly apiVersion?: unknown };
  if (kind !== 'Config' || apiVersion !== 'v1')
    throw new Error(`kind is ${valueText(kind)} and apiVersion is ${valueText(apiVersion)}: ${SHAPE}`);
  const kubeconfig = raw as RawKubeconfig;
  for (const field of ['clusters', 'users', 'contexts'] as const) checkNames(field, kubeconfig[field] ?? []);
  return kubeconfig;
}

const SHAPE = "a kubeconfig is a map with 'clusters', 'users' and 'contexts', of kind Config and version v1";

/** Parses the YAML or JSON of a kubeconfig. Rejects with an error that does not contain the content. */
export async function kubeconfigDocument(text: string): Promise<unknown> {
  const { load } = await import('js-yaml');
  try {
    return load(text, { json: true });
  } catch (error) {
    throw withoutText(error);
  }
}

/**
 * Returns an error without the message of the parser, because the message contains lines of the kubeconfig. The reason that the parser
 * reports can end with content of the kubeconfig, such as the name of an alias or a tag. The error contains only the part of the reason
 * before such content.
 */
function withoutText(error: unknown): Error {
  const { reason, mark } = error as { readonly reason: string; readonly mark?: { readonly line: number } };
  const shown = reason.replace(/ ?[":!<][^]*$/, '');
  return new Error(`cannot parse YAML: ${shown}${mark ? ` in line ${mark.line + 1}` : ''}`);
}

function checkNames(field: string, entries: unknown): void {
  if (!Array.isArray(entries)) throw new Error(`field '${field}' is not a list`);
  const names = (entries as readonly ({ readonly name?: string } | null)[]).map((entry) => entry?.name);
  const twice = names.find((name, index) => name !== undefined && names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`field '${field}' has two entries named '${twice}': keep one of them`);
}
