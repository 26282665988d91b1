// Called by scripts/count-lines.mjs: counts the examples and rewrites the tables of the page. With arguments `owner/name=FOLDER`, it also
// counts the Go programs of that repository again, in the given checkout.
import { readFileSync, writeFileSync } from 'node:fs';
import { goProgramsFile, readGoPrograms, recounted } from './go-programs.js';
import { PAGE, pageWith } from './lines-page.js';

const checkouts = new Map(
  process.argv.slice(2).map((given) => {
    const [, repository = '', folder = ''] = /^([^=]+)=(.+)$/.exec(given) ?? [];
    if (folder === '')
      throw new Error(`invalid argument ${given}; use owner/name=FOLDER, where FOLDER is a checkout of the repository`);
    return [repository, folder] as const;
  }),
);
const known = readGoPrograms();
for (const repository of checkouts.keys()) {
  const isCounted = Object.values(known).some((program) => program.repository === repository);
  if (!isCounted) throw new Error(`test/docs/lines-of-code/go-programs.json contains no program of ${repository}`);
}
const programs = Object.fromEntries(
  Object.entries(known).map(([name, program]) => {
    const checkout = checkouts.get(program.repository ?? '');
    return [name, checkout === undefined ? program : recounted(program, checkout)];
  }),
);
const { path, text } = goProgramsFile(programs);
writeFileSync(path, text);
writeFileSync(PAGE, pageWith(readFileSync(PAGE, 'utf8'), programs));
