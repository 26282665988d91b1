import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const all = join(root, 'packages', 'apiserver', 'data');

/** The folder with the embedded server's data about Kubernetes. There is one folder, for one version. */
export const clusterData = join(
  all,
  readdirSync(all).find((name) => name.startsWith('kubernetes-')),
);
