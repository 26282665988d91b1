import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { listAll } from './list-pages.js';
import type { ObjectSource } from './object-source.js';

/** The objects of a streaming list and their version. */
export interface Streamed<T> {
  readonly objects: readonly T[];
  readonly resourceVersion: string;
}

/**
 * Lists the objects again at the same version. Rejects with INCONSISTENT_LIST if the list and the stream contain different objects. Tests
 * of API servers use this check.
 */
export async function checkConsistency<T extends KubeObject>(
  source: ObjectSource<T>,
  streamed: Streamed<T>,
  signal: AbortSignal,
): Promise<void> {
  const { resourceVersion } = streamed;
  const listed = await listAll(source, { resourceVersion, isExact: true, signal });
  const inList = new Set(listed.objects.map(identity));
  const inStream = new Set(streamed.objects.map(identity));
  const missing = [...inList].filter((object) => !inStream.has(object));
  const surplus = [...inStream].filter((object) => !inList.has(object));
  if (missing.length === 0 && surplus.length === 0) return;
  const found = `only in the list: ${missing.join(', ') || 'nothing'}; only in the stream: ${surplus.join(', ') || 'nothing'}`;
  throw new KubewrightError(
    'INCONSISTENT_LIST',
    `watch ${source.name}: at resourceVersion ${resourceVersion} the stream and the list differ: ${found}`,
  );
}

function identity(object: KubeObject): string {
  const { namespace, name, uid, resourceVersion } = object.metadata;
  return `${namespace ?? ''}/${name} (${uid}) at ${resourceVersion}`;
}
