import { readFile } from 'node:fs/promises';
import { isReady, type KubeObject } from '@kubewright/api';
import { isNotFound } from '@kubewright/api/errors';
import type { Connection } from '@kubewright/runtime';
import { loadConnection, Transport } from '@kubewright/runtime/internal';

/** Whether all objects at paths of a server are ready. One that is not there, or not served yet, is not. */
export async function areReadyAt(transport: Transport, paths: readonly string[]): Promise<boolean> {
  try {
    for (const path of paths) {
      const object = await transport.request<KubeObject>({ method: 'GET', path, attempted: `read ${path}` });
      if (!isReady(object)) return false;
    }
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** A connection by a kubeconfig that somebody is about to write; undefined before. */
export async function connectionOf(kubeconfig: string): Promise<Connection | undefined> {
  const text = await readFile(kubeconfig, 'utf8').catch(() => '');
  return text === '' ? undefined : loadConnection({ kubeconfig });
}
