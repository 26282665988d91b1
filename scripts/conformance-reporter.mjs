// A reporter for node --test: which conformance cases the run showed. A test names the cases that it proves in brackets,
// '[RC-01] a queued key …' or '[RC-01, RC-02] …'. A case passes when every test with its id passed; skipped is not passed.
const IDS = /\[((?:[A-Z]{2}-\d+)(?:,\s*[A-Z]{2}-\d+)*)\]/g;

/** The ids that a test title carries. */
function idsIn(title) {
  return [...title.matchAll(IDS)].flatMap(([, list]) => list.split(/,\s*/));
}

export default async function* conformance(events) {
  const cases = {};
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const outcome =
      type === 'test:fail' ? 'failed' : data.skip !== undefined || data.todo !== undefined ? 'skipped' : 'passed';
    if (data.details?.type !== 'suite') counts[outcome]++;
    for (const id of idsIn(data.name)) {
      cases[id] ??= { passed: 0, failed: 0, skipped: 0, tests: [] };
      cases[id][outcome]++;
      cases[id].tests.push(data.name);
    }
  }
  yield `${JSON.stringify({ counts, cases }, null, 1)}\n`;
}
