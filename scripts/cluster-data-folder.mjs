import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const all = join(root, 'packages', 'apiserver', 'data');

/** The folder with what the embedded server knows of Kubernetes; there is one, of one version. */
export const clusterData = join(
  all,
  readdirSync(all).find((name) => name.startsWith('kubernetes-')),
);
