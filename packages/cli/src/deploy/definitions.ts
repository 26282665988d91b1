import { isReady, type KubeObject } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { CustomResourceDefinition as Definition } from '@kubewright/api/apiextensions/v1';
import { isNotFound, KubewrightError, messageOf } from '@kubewright/api/errors';
import { isInternalError, servedKinds, untilListed } from '@kubewright/runtime/internal';
import { describeBlocked } from './blocked-objects.js';
import type { KubeApi } from './kube-api.js';

/** The maximum time that a server may take to serve a new kind or to delete a definition. */
const TIME_LIMIT = '30s';
const TIME_LIMIT_MS = 30_000;

/**
 * Waits until the server serves the kinds of the named definitions.
 * @throws KubewrightError NOT_ESTABLISHED with the definition and the reason if a definition is not established within 30 s. Rejects with
 *   all other errors of the wait unchanged.
 */
export async function untilServed(api: KubeApi, names: readonly string[], signal: AbortSignal): Promise<void> {
  const established = names.map(async (name) => {
    try {
      return await api.cache.until(Definition, { name }, isReady, { timeout: TIME_LIMIT, signal });
    } catch (error) {
      signal.throwIfAborted();
      if (!isWaitTimeout(error)) throw error;
      const found = await api.client.live.find(Definition, { name });
      const message = `the cluster did not serve ${name} within ${TIME_LIMIT_MS / 1000} s: ${refusalOf(found) ?? messageOf(error)}`;
      throw new KubewrightError('NOT_ESTABLISHED', message, { cause: error });
    }
  });
  for (const definition of await Promise.all(established)) {
    await untilListed(api.client, definition, signal);
  }
}

/** Reports whether a wait reached its time limit. All other errors of a wait, such as a closed connection, occur earlier. */
function isWaitTimeout(error: unknown): boolean {
  return error instanceof KubewrightError && error.code === 'WAIT_TIMEOUT';
}

/** Returns the message of the first false condition of a definition, which states why the definition is not established. */
function refusalOf(definition: CustomResourceDefinition | undefined): string | undefined {
  const condition = definition?.status?.conditions?.find(({ status }) => status === 'False');
  return condition?.message ?? condition?.reason;
}
/**
 * Returns the number of objects of the kind that a definition defines; 0 if the server does not serve the kind. Returns undefined if the
 * server cannot list the objects because their conversion fails.
 */
export async function countObjects(api: KubeApi, definition: CustomResourceDefinition): Promise<number | undefined> {
  const [kind] = servedKinds(definition);
  if (kind === undefined) return 0;
  try {
    for await (const { items, remaining = 0 } of api.client.live.pages(kind, { limit: 1 }))
      return items.length + remaining;
  } catch (error) {
    const isUnconverted = definition.spec.conversion?.strategy === 'Webhook' && isInternalError(error);
    if (isUnconverted) return undefined;
    if (!isNotFound(error)) throw error;
  }
  return 0;
}

/**
 * Deletes a definition with all objects of its kind, and waits until the definition is deleted.
 * @throws KubewrightError DELETION_PENDING after 30 s; the message contains the first five objects whose finalizers block the
 *   deletion. Rejects with all other errors of the wait unchanged.
 */
export async function removeDefinition(
  api: KubeApi,
  definition: CustomResourceDefinition,
  signal: AbortSignal,
): Promise<void> {
  await api.client.delete(definition);
  try {
    await api.cache.untilDeleted(definition, { timeout: TIME_LIMIT, signal });
  } catch (cause) {
    signal.throwIfAborted();
    if (!isWaitTimeout(cause)) throw cause;
    const held = await heldObjects(api, definition);
    const why =
      held.length === 0
        ? messageOf(cause)
        : `these objects are waiting for their finalizers: ${describeBlocked(held)}; run the operator until the objects are deleted, or remove the finalizers`;
    const message = `${definition.metadata.name} was not deleted within ${TIME_LIMIT_MS / 1000} s: ${why}`;
    throw new KubewrightError('DELETION_PENDING', message, { cause });
  }
}
async function heldObjects(api: KubeApi, definition: CustomResourceDefinition): Promise<readonly KubeObject[]> {
  const [kind] = servedKinds(definition);
  if (kind === undefined) return [];
  const objects = await api.client.live.list(kind);
  return objects.filter(({ metadata }) => (metadata.finalizers ?? []).length > 0);
}
