import { dynamicKind, type KindRef } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { SystemClock } from '@kubewright/api/clock';
import { isNotFound, KubewrightError } from '@kubewright/api/errors';
import type { Client } from './client.js';

const PATIENCE_MS = 30_000;
const POLL = '20ms';

/** What is read of a definition. */
export type ServedDefinition = Pick<CustomResourceDefinition, 'spec'>;

/** The kinds that a definition says are to be served: one for each version that is. */
export function servedKinds({ spec }: ServedDefinition): readonly KindRef[] {
  return spec.versions
    .filter(({ served }) => served)
    .map(({ name }) => dynamicKind(`${spec.group}/${name}`, spec.names.kind));
}

/**
 * Resolves when the server lists the kinds of a definition, which is a moment after the definition is established. Rejects with what the
 * server says where it does not within 30 s, and at once with what is no sign of being early.
 */
export async function untilListed(client: Client, definition: ServedDefinition, signal?: AbortSignal): Promise<void> {
  const clock = new SystemClock();
  const endMs = clock.monotonicMs() + PATIENCE_MS;
  for (const kind of servedKinds(definition)) {
    while (!(await isListed(client, kind, { isLast: clock.monotonicMs() > endMs }))) await clock.sleep(POLL, signal);
  }
}

/** Throws what is against it when it is the last time to ask. */
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
