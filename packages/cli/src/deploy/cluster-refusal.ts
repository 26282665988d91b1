import { ApiError, isConflict, KubewrightError, messageOf } from '@kubewright/api/errors';
import type { Connection } from '@kubewright/runtime';
import { describeCluster } from './target.js';

const OTHER = 'or select another cluster with --context or --kubeconfig';

/**
 * Returns an error that adds a suggestion to the error of a request. Supports certificates that cannot be verified, unreachable servers,
 * status 401, status 403, and conflicts with field managers. Returns other errors unchanged.
 */
export function clusterRefusal(error: unknown, connection: Connection): unknown {
  if (error instanceof ApiError) return answered(error, connection);
  if (!(error instanceof KubewrightError)) return error;
  const where = describeCluster(connection);
  const tls = tlsErrorOf(error);
  if (tls !== undefined) {
    const message = `cannot verify the certificate of ${where}: ${tls.message}; add the certificate authority of the cluster to the kubeconfig, ${OTHER}`;
    return new KubewrightError('UNTRUSTED_SERVER', message, { cause: error });
  }
  if (error.code !== 'REQUEST_FAILED' && error.code !== 'REQUEST_TIMEOUT') return error;
  const message = `cannot reach ${where}: ${rootOf(error)}; check that the cluster runs, ${OTHER}`;
  return new KubewrightError('SERVER_UNREACHABLE', message, { cause: error });
}

function answered(error: ApiError, connection: Connection): KubewrightError {
  const where = describeCluster(connection);
  if (error.status === 401) {
    const message = `${where} rejected the credentials: they have expired or belong to another cluster; log in again, ${OTHER}`;
    return new KubewrightError('UNAUTHENTICATED', message, { cause: error });
  }
  if (error.status === 403) {
    const message = `${error.message}; request this permission from the administrator of ${where}, ${OTHER}`;
    return new KubewrightError('FORBIDDEN', message, { cause: error });
  }
  const owners = isConflict(error) ? ownersIn(error) : [];
  if (owners.length > 0) {
    const { causes = [] } = error.body.details ?? {};
    const fields = causes.flatMap(({ field }) => field ?? []).join(', ');
    // The name of an object can contain colons, such as the ClusterRole 'system:node'.
    const attempted = error.message.replace(`: ${error.body.message}`, '');
    const message = `${attempted}: conflict with the field manager ${owners.join(' and ')} on ${fields}; resolve the conflict with the other client, or take over the fields with --force-conflicts`;
    return new KubewrightError('APPLY_CONFLICT', message, { cause: error });
  }
  return error;
}

/** Returns the names of the other field managers in the causes of an apply conflict, in single quotes. */
function ownersIn({ body }: ApiError): readonly string[] {
  const owners = (body.details?.causes ?? [])
    .filter(({ reason }) => reason === 'FieldManagerConflict')
    .flatMap(({ message }) => /conflict with "([^"]+)"/.exec(message ?? '')?.[1] ?? []);
  return [...new Set(owners)].map((owner) => `'${owner}'`);
}

function rootOf(error: unknown): string {
  let last = error;
  while (last instanceof Error && last.cause !== undefined) last = last.cause;
  return messageOf(last);
}

function tlsErrorOf(error: unknown): Error | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as { readonly code?: unknown };
    if (/^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_)/.test(String(code))) return at;
  }
  return undefined;
}
