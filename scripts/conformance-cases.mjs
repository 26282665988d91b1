// Finds the conformance cases that tests prove. A test names its cases in brackets: '[RC-01] reconciles a queued key exactly once', or
// '[RC-01, RC-02] …'. A case passes if every test with its id passed; skipped tests do not count as passed.
const IDS = /\[((?:[A-Z]{2}-\d+)(?:,\s*[A-Z]{2}-\d+)*)\]/g;

/** Counts the tests of each id by outcome. */
export function casesOf(tests) {
  const cases = {};
  for (const { name, outcome } of tests) {
    for (const id of [...name.matchAll(IDS)].flatMap(([, list]) => list.split(/,\s*/))) {
      cases[id] ??= { passed: 0, failed: 0, skipped: 0 };
      cases[id][outcome]++;
    }
  }
  return cases;
}
