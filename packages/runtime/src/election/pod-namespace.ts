import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVICE_ACCOUNT_DIRECTORY } from '../transport/kubeconfig/in-cluster.js';

/** Returns the namespace of the Pod in which this process runs. Returns undefined outside of a Pod. */
export async function podNamespace(directory = SERVICE_ACCOUNT_DIRECTORY): Promise<string | undefined> {
  try {
    return (await readFile(join(directory, 'namespace'), 'utf8')).trim() || undefined;
  } catch {
    // The file does not exist outside of a Pod.
    return undefined;
  }
}
