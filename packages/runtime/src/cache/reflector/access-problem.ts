import { ApiError, KubewrightError, messageOf } from '@kubewright/api/errors';
import { identityOf } from '../../transport/connection/identity.js';
import { isConnectionRefused } from '../../transport/sending/retry.js';
import { tlsErrorOf } from '../../transport/connection/tls-error.js';
import type { ObjectSource } from './object-source.js';

/** The verb of the request that failed. */
export type AccessVerb = 'list' | 'watch';

/**
 * Returns the error for objects that cannot be listed or watched. The message contains the kind, the verb, the user, the response of the
 * server and the fix. The code is KIND_NOT_SERVED, FORBIDDEN, UNAUTHENTICATED, UNTRUSTED_SERVER, SERVER_UNREACHABLE or SERVER_FAILED.
 */
export function accessProblem(error: unknown, verb: AccessVerb, source: AnySource): KubewrightError {
  const { code, remedy } = diagnosis(error, source);
  const { kind, apiVersion } = source.resource;
  // Removes the request from the start of the reason, because the message already contains it. A streaming list is a watch request, so both
  // verbs are possible.
  const attempted = [`list ${source.name}: `, `watch ${source.name}: `];
  const reason = attempted.reduce((text, each) => text.replace(each, ''), reasonOf(error));
  const message = `cannot ${verb} ${source.name} (${kind} of ${apiVersion})${requestedBy(error, code, source)}: ${reason}`;
  return new KubewrightError(code, remedy === undefined ? message : `${message}; ${remedy}`, { cause: error });
}

/**
 * Returns the user and the server of the request for the message. Returns an empty string if the server is unreachable. In this case, the
 * user is not relevant, and the fix contains the address of the server.
 */
function requestedBy(error: unknown, code: string, { transport: { connection } }: AnySource): string {
  if (code === 'SERVER_UNREACHABLE') return '';
  return ` as ${namedUser(error) ?? identityOf(connection)} at ${connection.server}`;
}

type AnySource = Pick<ObjectSource<never>, 'name' | 'resource' | 'transport'>;

interface Diagnosis {
  readonly code: string;
  /** The fix for the message. Undefined if the message of the error already contains the fix. */
  readonly remedy?: string;
}

/** The codes of transport errors with a message that already contains the fix. */
const CODES_WITH_FIX = new Set(['CREDENTIALS_FAILED', 'INVALID_RESPONSE']);

function diagnosis(error: unknown, { resource, transport }: AnySource): Diagnosis {
  if (error instanceof ApiError) {
    if (error.status === 401) return unauthenticated;
    if (error.status === 403) return forbidden(resource.plural, resource.group);
    if (error.status === 404 || error.status === 405) return unavailable(resource);
    return { code: 'SERVER_FAILED', remedy: 'check the log of the API server if the error persists' };
  }
  if (tlsErrorOf(error) !== undefined) {
    const remedy =
      'configure the connection with the certificate authority that signed the server certificate, and with a URL whose host the certificate contains';
    return { code: 'UNTRUSTED_SERVER', remedy };
  }
  if (
    isConnectionRefused(error) ||
    (error instanceof KubewrightError && /^REQUEST_(?:FAILED|TIMEOUT)$/.test(error.code))
  ) {
    return { code: 'SERVER_UNREACHABLE', remedy: `check that an API server answers at ${transport.connection.server}` };
  }
  if (error instanceof KubewrightError && CODES_WITH_FIX.has(error.code)) return { code: 'SERVER_FAILED' };
  return { code: 'SERVER_FAILED', remedy: 'check that an API server answers at this address' };
}

const unauthenticated: Diagnosis = {
  code: 'UNAUTHENTICATED',
  remedy:
    'the server rejected the credentials: they have expired, were revoked, or belong to another cluster; renew them',
};

function forbidden(plural: string, group: string): Diagnosis {
  const rule = `apiGroups: ["${group}"], resources: ["${plural}"], verbs: ["get", "list", "watch"]`;
  return {
    code: 'FORBIDDEN',
    remedy: `bind a role with the rule { ${rule} } to this user; kubewright generate writes this rule for every declared kind`,
  };
}

function unavailable({ kind, apiVersion, builtIn }: AnySource['resource']): Diagnosis {
  const remedy = builtIn
    ? `the server does not know ${apiVersion} of ${kind}, or has disabled it; upgrade the server, or use an older version of the kind`
    : 'install a CustomResourceDefinition that serves this version';
  return { code: 'KIND_NOT_SERVED', remedy };
}

/** Returns the message of the error, without a period or question mark at the end. */
function reasonOf(error: unknown): string {
  const tls = tlsErrorOf(error);
  const answered = error instanceof ApiError ? error.body.message : undefined;
  const detail = tls?.message ?? answered ?? messageOf(error);
  return detail.replace(/[.?]$/, '');
}

/** Returns the user that the response of the server names, for example in a 403 response. */
function namedUser(error: unknown): string | undefined {
  const name = error instanceof ApiError ? /User "([^"]+)"/.exec(error.message)?.[1] : undefined;
  return name === undefined ? undefined : `user '${name}'`;
}
