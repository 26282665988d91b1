import { dynamicKind, type KindRef } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { SystemClock } from '@kubewright/api/clock';
import { isNotFound, KubewrightError } from '@kubewright/api/errors';
import type { Client } from './client.js';

const TIME_LIMIT_MS = 30_000;
const POLL = '20ms';

/** The required fields of a CustomResourceDefinition. */
export type ServedDefinition = Pick<CustomResourceDefinition, 'spec'>;

/** Returns one kind for each served version of a definition. */
export function servedKinds({ spec }: ServedDefinition): readonly KindRef[] {
  return spec.versions
    .filter(({ served }) => served)
    .map(({ name }) => dynamicKind(`${spec.group}/${name}`, spec.names.kind));
}

/**
 * Resolves when the server can list the kinds of a definition, shortly after the definition is established. Rejects with the error of the
 * server after 30 s, and immediately for errors that do not mean that the kind is not yet served.
 */
export async function untilListed(client: Client, definition: ServedDefinition, signal?: AbortSignal): Promise<void> {
  const clock = new SystemClock();
  const endMs = clock.monotonicMs() + TIME_LIMIT_MS;
  for (const kind of servedKinds(definition)) {
    while (!(await isListed(client, kind, { isLast: clock.monotonicMs() > endMs }))) await clock.sleep(POLL, signal);
  }
}

/** Whether the server can list the kind. Throws the error of the server at the last attempt, and for other errors than a missing kind. */
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
