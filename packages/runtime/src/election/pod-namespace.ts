import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVICE_ACCOUNT_DIRECTORY } from '../transport/in-cluster.js';

/** The namespace of the Pod that this process runs in; undefined outside of one. */
export async function podNamespace(directory = SERVICE_ACCOUNT_DIRECTORY): Promise<string | undefined> {
  try {
    return (await readFile(join(directory, 'namespace'), 'utf8')).trim() || undefined;
  } catch {
    // No such file: this is no Pod.
    return undefined;
  }
}
