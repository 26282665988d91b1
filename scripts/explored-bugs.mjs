// node scripts/explored-bugs.mjs: explores every bug of test/explore/bugs, and updates the table of docs/reference/explored-bugs.md. Commit
// the result.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, setUp } from './setup.mjs';

setUp();
const program = join(root, 'test', 'dist', 'docs', 'write-bugs-page.js');
const { status } = spawnSync(process.execPath, [program], { stdio: 'inherit' });
process.exitCode = status ?? 1;
