import { valueText } from '@kubewright/api/errors';
import type { ClientCertificate } from '../connection/credential-source.js';

/** The field `exec` of a user in a kubeconfig, which configures a credential plugin. */
export interface ExecConfig {
  readonly apiVersion?: string;
  readonly command?: string;
  readonly args?: readonly string[] | null;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
  readonly interactiveMode?: string;
}

/** The information about the cluster that a plugin receives if `provideClusterInfo` is set. */
export interface ExecCluster {
  readonly server: string;
  readonly 'tls-server-name'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'certificate-authority-data'?: string;
  readonly 'proxy-url'?: string;
  /** The extension `client.authentication.k8s.io/exec` of the cluster. */
  readonly config?: unknown;
}

/** The credential that a plugin has returned. */
export interface ExecAnswer {
  readonly token?: string;
  readonly clientCertificate?: ClientCertificate;
  /** The time at which the credential expires. @default valid until the server rejects the credential */
  readonly expiresAt?: Date;
}

const API_VERSIONS: ReadonlySet<unknown> = new Set([
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
]);
const INTERACTIVE_MODES: ReadonlySet<unknown> = new Set(['Never', 'IfAvailable', 'Always']);

/**
 * Returns the problem of a field `exec`, as the end of a sentence that starts with the name of the field. Returns undefined if the field is
 * valid.
 */
export function execConfigProblem({
  apiVersion,
  command,
  interactiveMode = 'IfAvailable',
}: ExecConfig): string | undefined {
  if (!API_VERSIONS.has(apiVersion))
    return `has apiVersion ${valueText(apiVersion)}: the plugin protocol must be ${[...API_VERSIONS].join(' or ')}`;
  if (typeof command !== 'string' || command === '') return "has no 'command': set it to the plugin to run";
  if (!INTERACTIVE_MODES.has(interactiveMode))
    return `has interactiveMode ${valueText(interactiveMode)}: it must be one of ${[...INTERACTIVE_MODES].join(', ')}`;
  return undefined;
}

/**
 * Parses the output of a plugin. Throws an error if the output is invalid. The error contains no content of the output except `kind` and
 * `apiVersion`.
 */
export function parsedExecAnswer(text: string, apiVersion: string | undefined): ExecAnswer {
  const { kind, apiVersion: answered, status } = jsonOf(text);
  if (kind !== 'ExecCredential')
    throw new Error(`the output is an object of kind ${valueText(kind)} instead of an ExecCredential`);
  if (answered !== apiVersion)
    throw new Error(
      `the output has apiVersion ${valueText(answered)}, but the kubeconfig has ${valueText(apiVersion)}: correct 'apiVersion' in the kubeconfig, or update the plugin`,
    );
  if (typeof status !== 'object' || status === null) throw new Error("the output has no 'status'");
  const {
    token,
    clientCertificateData: cert,
    clientKeyData: key,
    expirationTimestamp,
  } = status as Readonly<Record<string, unknown>>;
  if (!isText(token) && !isText(cert) && !isText(key))
    throw new Error('the output contains neither a token nor a certificate');
  if (isText(cert) !== isText(key))
    throw new Error('the output contains a certificate without its key, or a key without its certificate');
  const expiresAt = isText(expirationTimestamp) ? new Date(expirationTimestamp) : undefined;
  if (expiresAt !== undefined && Number.isNaN(expiresAt.getTime()))
    throw new Error("'expirationTimestamp' of the output is not a valid time");
  return {
    ...(isText(token) ? { token } : {}),
    ...(isText(cert) && isText(key) ? { clientCertificate: { cert, key } } : {}),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

function jsonOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // The error of the JSON parser is not used, because it would contain the output.
  }
  throw new Error('the output is not a JSON object');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
