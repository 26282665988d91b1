import { readFile } from 'node:fs/promises';
import { isReady, type KubeObject } from '@kubewright/api';
import { isNotFound } from '@kubewright/api/errors';
import type { Connection } from '@kubewright/runtime';
import { loadConnection, Transport } from '@kubewright/runtime/internal';

/** Whether all objects at the paths of a server are ready. An object that does not exist or is not served yet is not ready. */
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

/** Returns the connection of a kubeconfig, or undefined if the file does not exist yet. */
export async function connectionOf(kubeconfig: string): Promise<Connection | undefined> {
  const text = await readFile(kubeconfig, 'utf8').catch(() => '');
  return text === '' ? undefined : loadConnection({ kubeconfig });
}
