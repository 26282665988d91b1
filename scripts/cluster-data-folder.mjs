import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const all = join(root, 'packages', 'apiserver', 'data');

/**
 * The folder with the recorded data of a kube-apiserver. The embedded API server uses this data. All data is from the same Kubernetes
 * version.
 */
export const clusterData = join(
  all,
  readdirSync(all).find((name) => name.startsWith('kubernetes-')),
);
