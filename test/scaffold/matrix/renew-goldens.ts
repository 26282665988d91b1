import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProjectFiles, writeFiles } from 'create-operator';
import { renewPage } from '../compared/renew-page.js';
import { goldens, matrix } from './matrix.js';
import { filesIn, ScaffoldProject } from './scaffold-project.js';

// Rewrites the golden files, and the page with the counts: node test/dist/scaffold/matrix/renew-goldens.js. Review the changes with git.
const made = new Map<string, ProjectFiles>();
for (const { name, calls } of matrix) {
  await using project = await ScaffoldProject.make(calls);
  made.set(join(goldens, name), await filesIn(project.root));
}
await rm(goldens, { recursive: true, force: true });
for (const [folder, write] of made) await writeFiles(folder, { write });
await renewPage();
