// node scripts/count-lines.mjs [OWNER/NAME=FOLDER …]: counts the lines of code of the examples, and updates the tables of
// docs/reference/lines-of-code.md. Also counts each Go repository whose name and checkout folder are given. Commit the result.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, setUp } from './setup.mjs';

setUp();
const program = join(root, 'test', 'dist', 'docs', 'lines-of-code', 'write-lines-page.js');
const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 1;
