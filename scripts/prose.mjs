// npm run prose: checks the language of Markdown files, comments, test titles, and messages.
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { showHelp } from './help.mjs';
import { root as repository, setUp } from './setup.mjs';

showHelp(`npm run prose [-- [--root FOLDER] [--sample COUNT [--seed SEED]] [PART-OF-A-PATH …]]

Checks the texts that people read: Markdown, comments, titles of tests, and messages. Checks the glossary, spelling and grammar. Prints a
line for each finding: path:line: message (rule). Exits with 1 if there are findings. Without arguments, checks all files.

Options:
  --root FOLDER   check the files in this folder instead of the repository
  --sample COUNT  print random texts for a reader instead: COUNT comments, COUNT test titles, and COUNT messages
  --seed SEED     draw the same sample again (default: random, printed with the sample)
  -h, --help      print this help`);

// Runs `setUp`, which installs packages and builds, only in a new clone. The check needs the packages, but no build.
if (!existsSync(join(repository, 'node_modules', '@textlint', 'kernel'))) setUp();
const { checkFiles } = await import('./prose/check-files.mjs');
const { withoutExceptions } = await import('./prose/exceptions.mjs');
const { pathsIn, readTexts } = await import('./prose/files.mjs');
const { sampleOf } = await import('./prose/sample.mjs');

const { values, positionals: parts } = parseArgs({
  options: { root: { type: 'string' }, sample: { type: 'string' }, seed: { type: 'string' } },
  allowPositionals: true,
});
const { root = repository, seed = String(randomInt(2 ** 32)) } = values;
const paths = pathsIn(root).filter((path) => parts.length === 0 || parts.some((part) => path.includes(part)));
if (values.sample === undefined) await check();
else printSample(Number(values.sample));

async function check() {
  const { count, findings } = await checkFiles(root, paths);
  const reported = withoutExceptions(findings, paths);
  for (const { path, line, message, rule } of reported) console.log(`${path}:${line}: ${message} (${rule})`);
  console.log(`${count} texts in ${paths.length} files, ${reported.length} findings`);
  process.exitCode = reported.length === 0 ? 0 : 1;
}

function printSample(count) {
  if (!Number.isInteger(count) || count < 1) {
    console.error(`--sample is '${values.sample}'; use a positive integer`);
    process.exitCode = 2;
    return;
  }
  const sample = sampleOf(readTexts(root, paths), { count, seed });
  for (const { path, kind, text, lines } of sample) console.log(`${path}:${lines[0][1]}: ${kind}: ${text}`);
  console.log(`${sample.length} texts, seed ${seed}`);
}
