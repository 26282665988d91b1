// npm run generate:data: regenerates the data that is recorded from a real control plane, then the generated files.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { showHelp } from './help.mjs';
import { root } from './setup.mjs';

showHelp(`npm run generate:data

Asks a real control plane for discovery, tables, schemas and the objects of a new cluster, takes the declared types from the sources of
Kubernetes, and generates what follows from both. Requires Go. The same version of Kubernetes gives the same files.

Options:
  -h, --help  print this`);

for (const name of ['generate-cluster-data', 'generate-go-types', 'generate']) {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', `${name}.mjs`)], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
