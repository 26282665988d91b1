// npm run generate:data: records the data of a real control plane again, and then regenerates all generated files.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { showHelp } from './help.mjs';
import { root } from './setup.mjs';

showHelp(`npm run generate:data

Reads discovery, tables, schemas and the objects of a new cluster from a real control plane, and the declared types from the Kubernetes
sources. Generates the data files from both. Requires Go. The same Kubernetes version produces the same files.

Options:
  -h, --help  print this help`);

for (const name of ['generate-cluster-data', 'generate-go-types', 'generate-differences', 'generate']) {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', `${name}.mjs`)], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
