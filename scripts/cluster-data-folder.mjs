import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const all = join(root, 'packages', 'apiserver', 'data');

/**
 * The folder with the recorded data of a kube-apiserver of the default version. All data is from the same Kubernetes version. The files
 * next to the folder contain the differences of other versions.
 */
export const clusterData = join(
  all,
  readdirSync(all).find((name) => name.startsWith('kubernetes-') && !name.endsWith('.json')),
);
