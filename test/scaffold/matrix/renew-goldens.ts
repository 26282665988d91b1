import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFiles } from 'create-operator';
import { goldens, matrix } from './matrix.js';
import { filesIn, ScaffoldProject } from './scaffold-project.js';

// Writes the goldens anew: node test/dist/scaffold/matrix/renew-goldens.js. What has changed is for git and a person to see.
await rm(goldens, { recursive: true, force: true });
for (const { name, calls } of matrix) {
  await using project = await ScaffoldProject.make(calls);
  await writeFiles(join(goldens, name), { write: await filesIn(project.root) });
}
