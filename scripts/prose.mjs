// npm run prose: checks the language of Markdown files, comments, test titles, and messages.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { showHelp } from './help.mjs';
import { root as repository, setUp } from './setup.mjs';

showHelp(`npm run prose [-- [--root FOLDER] [PART-OF-A-PATH …]]

Checks the texts that people read: Markdown, comments, titles of tests, and messages. Checks the glossary, spelling and grammar. Prints a
line for each finding: path:line: message (rule). Exits with 1 if there are findings. Without arguments, checks all files.

Options:
  --root FOLDER  check the files in this folder instead of the repository
  -h, --help     print this help`);

// Runs `setUp`, which installs packages and builds, only in a new clone. The check needs the packages, but no build.
if (!existsSync(join(repository, 'node_modules', '@textlint', 'kernel'))) setUp();
const { checkFiles } = await import('./prose/check-files.mjs');
const { withoutExceptions } = await import('./prose/exceptions.mjs');
const { pathsIn } = await import('./prose/files.mjs');

const { values, positionals: parts } = parseArgs({ options: { root: { type: 'string' } }, allowPositionals: true });
const { root = repository } = values;
const paths = pathsIn(root).filter((path) => parts.length === 0 || parts.some((part) => path.includes(part)));
const { count, findings } = await checkFiles(root, paths);
const reported = withoutExceptions(findings, paths);
for (const { path, line, message, rule } of reported) console.log(`${path}:${line}: ${message} (${rule})`);
console.log(`${count} texts in ${paths.length} files, ${reported.length} findings`);
process.exitCode = reported.length === 0 ? 0 : 1;
