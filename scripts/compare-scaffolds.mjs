// node scripts/compare-scaffolds.mjs [REPOSITORY-OF-KUBEBUILDER]: counts what the same operator takes with kubebuilder and with
// Kubewright, and writes docs/reference/compared-with-kubebuilder.md anew.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, setUp } from './setup.mjs';

setUp();
const program = join(root, 'test', 'dist', 'scaffold', 'compared', 'write-comparison.js');
const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 1;
