import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { deepEqual } from '@kubewright/api/patch';
import type { Client } from '@kubewright/runtime';
import { SERVER_METADATA } from '@kubewright/runtime/internal';

type Given = KubeObject & { readonly status?: unknown };

/** Throws INVALID_OPTION for an object that would be deleted immediately after its creation. */
export function checkInitialObjects(objects: readonly KubeObject[]): void {
  for (const { kind, metadata } of objects) {
    if (metadata.deletionTimestamp === undefined || (metadata.finalizers?.length ?? 0) > 0) continue;
    throw new KubewrightError(
      'INVALID_OPTION',
      `cannot start a test environment with ${kind} ${metadata.name}: it has a deletionTimestamp but no finalizer, so it would be deleted immediately; add a finalizer, or omit deletionTimestamp`,
    );
  }
}

/**
 * Creates the objects in the order of the list, with their status, and yields each created object. Deletes objects that have a
 * deletionTimestamp. Omits metadata that only the server sets, and sets the new uids in the owner references between these objects.
 */
export async function* initialObjects(objects: readonly KubeObject[], client: Client): AsyncGenerator<KubeObject> {
  const uids = new Map<string, string>();
  for (const object of objects) {
    const made = await make(object, { client, uids });
    if (object.metadata.uid) uids.set(object.metadata.uid, made.metadata.uid);
    yield made;
  }
}

async function make(
  object: Given,
  { client, uids }: { readonly client: Client; readonly uids: ReadonlyMap<string, string> },
): Promise<KubeObject> {
  const { deletionTimestamp, ownerReferences, ...given } = object.metadata;
  const kept = Object.entries(given).filter(([name]) => !SERVER_METADATA.includes(name));
  const owners = ownerReferences?.map((one) => ({ ...one, uid: uids.get(one.uid) ?? one.uid }));
  const metadata = { ...Object.fromEntries(kept), ...(owners && { ownerReferences: owners }) };
  let made: Given = await client.create({ ...object, metadata } as unknown as Given);
  if (object.status !== undefined && !deepEqual(object.status, made.status)) {
    const { status } = object;
    made = await client.subresource(made, 'status').patch({ merge: { status } });
  }
  if (deletionTimestamp !== undefined) await client.delete(made);
  return made;
}
