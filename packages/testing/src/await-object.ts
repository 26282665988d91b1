import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import type { Informer } from '@kubewright/runtime';

/** How long an object may take to become as it is awaited. */
const PATIENCE_MS = 30_000;

/** Resolves with the object of this name once it is so. Rejects with NOT_REACHED after 30 s, telling how it was last. */
export function awaitObject<T extends KubeObject>(
  informer: Informer<T>,
  object: KubeObject,
  isSo: (now: T) => boolean,
): Promise<T> {
  return awaitState(informer, object, (now) => (now !== undefined && isSo(now) ? { state: now } : undefined));
}

/** Resolves when this very object is not there any more; another one of its name does not count. Rejects with NOT_REACHED after 30 s. */
export function awaitGone<T extends KubeObject>(informer: Informer<T>, object: KubeObject): Promise<void> {
  const { uid } = object.metadata;
  return awaitState(informer, object, (now) => (now?.metadata.uid === uid ? undefined : { state: undefined }));
}

/** Resolves with the state that `reached` finds, at once or after some change. */
async function awaitState<T extends KubeObject, S>(
  informer: Informer<T>,
  { metadata: { namespace, name } }: KubeObject,
  reached: (now: T | undefined) => { readonly state: S } | undefined,
): Promise<S> {
  const key = { name, ...(namespace !== undefined && { namespace }) };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  let found = reached(informer.get(key));
  if (found !== undefined) return found.state;
  for await (const { object } of informer.changes({ signal })) {
    if (object.metadata.name === name) found = reached(informer.get(key));
    if (found !== undefined) return found.state;
  }
  const last = informer.get(key);
  throw new KubewrightError(
    'NOT_REACHED',
    `wait for ${namespace === undefined ? '' : `${namespace}/`}${name} to be as it should: after ${PATIENCE_MS / 1000} s it is ${last === undefined ? 'not there' : JSON.stringify(last)}`,
  );
}
