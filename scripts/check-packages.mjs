// Packs each published package and checks the tarball. Its output ends with the sizes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageProblems, sizeLine } from './package-problems.mjs';
import { packInto } from './published-packages.mjs';

const folder = mkdtempSync(join(tmpdir(), 'kubewright-packages-'));
const found = [];
const sizes = [];
try {
  for (const each of await packInto(folder)) {
    const problems = await packageProblems(join(folder, each.filename), each);
    found.push(...problems.map((problem) => `${each.name}: ${problem}`));
    sizes.push(sizeLine(each));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const line of [...found, ...sizes]) console.log(line);
process.exitCode = found.length === 0 ? 0 : 1;
