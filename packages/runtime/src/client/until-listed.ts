import { dynamicKind, type KindRef } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { SystemClock } from '@kubewright/api/clock';
import { ApiError, isNotFound, KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import type { Client } from './client.js';

const TIME_LIMIT_MS = 30_000;
const POLL = '20ms';

/** The fields of a CustomResourceDefinition that these functions use. */
export type ServedDefinition = Pick<CustomResourceDefinition, 'spec'>;

/** Returns the kinds of a definition, one per served version. */
export function servedKinds({ spec }: ServedDefinition): readonly KindRef[] {
  return spec.versions
    .filter(({ served }) => served)
    .map(({ name }) => dynamicKind(`${spec.group}/${name}`, spec.names.kind));
}

/**
 * Waits until the API server can list the kinds of a definition. A new definition is established before its kinds can be listed. Rejects
 * with the error of the server if a kind is still missing after 30 s. Rejects immediately with any other error. If a webhook converts the
 * kind, does not wait for the webhook, because the operator that serves the webhook may start later.
 */
export function untilListed(client: Client, definition: ServedDefinition, signal?: AbortSignal): Promise<void> {
  const isConverted = definition.spec.conversion?.strategy === 'Webhook';
  return pollKinds(definition, signal, async (kind, isLast) => {
    try {
      return await isListed(client, kind, { isLast });
    } catch (error) {
      // The server serves the kind, but cannot convert its objects.
      if (isConverted && isInternalError(error)) return true;
      throw error;
    }
  });
}
/** Whether the API server failed with status 500, for example because a conversion webhook does not respond. */
export function isInternalError(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 500;
}

/**
 * Waits until the API server neither lists the kinds of a deleted definition nor includes them in discovery. Rejects with NOT_ESTABLISHED
 * after 30 s. Rejects immediately with any error other than a missing kind.
 */
export function untilNotServed(client: Client, definition: ServedDefinition, signal?: AbortSignal): Promise<void> {
  return pollKinds(definition, signal, async (kind, isLast) => {
    if (!(await isListed(client, kind, { isLast: false })) && !(await client.isServed(kind))) return true;
    if (!isLast) return false;
    const { kind: name, apiVersion } = kindOf(kind);
    throw new KubewrightError(
      'NOT_ESTABLISHED',
      `the API server still serves ${name} of ${apiVersion}, ${TIME_LIMIT_MS / 1000} s after its CustomResourceDefinition was deleted`,
    );
  });
}

/** Calls `isDone` repeatedly for each kind until `isDone` returns true. `isLast` is true if the time limit has passed. */
async function pollKinds(
  definition: ServedDefinition,
  signal: AbortSignal | undefined,
  isDone: (kind: KindRef, isLast: boolean) => Promise<boolean>,
): Promise<void> {
  const clock = new SystemClock();
  const endMs = clock.monotonicMs() + TIME_LIMIT_MS;
  for (const kind of servedKinds(definition)) {
    while (!(await isDone(kind, clock.monotonicMs() > endMs))) await clock.sleep(POLL, signal);
  }
}

/**
 * Whether the API server can list the kind. Returns false if the kind is missing. At the last attempt, throws the error of the server
 * instead of returning false. Throws all other errors.
 */
async function isListed(client: Client, kind: KindRef, { isLast }: { readonly isLast: boolean }): Promise<boolean> {
  try {
    await client.live.list(kind, { limit: 1 });
    return true;
  } catch (error) {
    const isEarly = isNotFound(error) || (error instanceof KubewrightError && error.code === 'KIND_NOT_SERVED');
    if (!isEarly || isLast) throw error;
    return false;
  }
}
