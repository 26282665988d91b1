// Finds the conformance cases that tests cover. The title of a test starts with the ids of its cases: '[RC-01] reconciles a queued key
// exactly once', or '[RC-01, RC-02] …'. A case passes if all tests with its id passed and none was skipped.
const IDS = /\[((?:[A-Z]{2}-\d+)(?:,\s*[A-Z]{2}-\d+)*)\]/g;

/** Returns the numbers of passed, failed, and skipped tests for each conformance id. */
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
