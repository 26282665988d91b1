// npm run conformance [-- --json | --missing]: prints how many conformance cases of test/conformance/cases.tsv passed in the last test run,
// by section and gate.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { casesOf } from './conformance-cases.mjs';
import { showHelp } from './help.mjs';
import { root } from './setup.mjs';
import { combined, firstResults, readResults } from './test-results.mjs';

showHelp(`npm run conformance [-- --json | --missing]

Prints the number of conformance cases that passed in the last test run, by section.

Options:
  --json      print JSON
  --missing   also print the cases without a passing test
  -h, --help  print this help`);

const first = firstResults();
if (first === undefined) {
  console.error('no complete test run is recorded; run npm test first, and wait until it ends');
  process.exit(1);
}
const cases = casesOf(combined(first, readResults('skipped') ?? { files: [], tests: [] }));
const notApplicable = JSON.parse(readFileSync(join(root, 'test', 'conformance', 'not-applicable.json'), 'utf8'));
const sections = new Map();
const missing = [];
for (const line of readFileSync(join(root, 'test', 'conformance', 'cases.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)) {
  const [id, gate, , title, behaviour] = line.split('\t');
  if (notApplicable[id]) continue;
  const name = title.replace(/ \(\d+\)$/, '');
  const section = sections.get(name) ?? { name, first: { passed: 0, total: 0 }, full: { passed: 0, total: 0 } };
  sections.set(name, section);
  const shown = cases[id] !== undefined && cases[id].passed > 0 && cases[id].failed === 0 && cases[id].skipped === 0;
  // The full gate also includes the cases of the first gate.
  for (const count of gate === 'first' ? [section.first, section.full] : [section.full]) {
    count.total++;
    if (shown) count.passed++;
  }
  if (!shown) missing.push({ id, gate, section: name, behaviour });
}

if (process.argv.includes('--json')) console.log(JSON.stringify({ sections: [...sections.values()] }, null, 2));
else {
  const width = Math.max(...[...sections.keys()].map((name) => name.length));
  console.log(`${'section'.padEnd(width)}  first gate   full gate`);
  for (const { name, first, full } of sections.values()) {
    console.log(`${name.padEnd(width)}  ${ratio(first)}  ${ratio(full)}`);
  }
  console.log(
    `${Object.keys(notApplicable).length} cases do not apply; see test/conformance/not-applicable.json for the reasons`,
  );
  if (process.argv.includes('--missing')) {
    for (const { id, gate, section, behaviour } of missing) console.log(`${id}\t${gate}\t${section}\t${behaviour}`);
  }
}

function ratio({ passed, total }) {
  return `${passed} / ${total}`.padStart(10);
}
