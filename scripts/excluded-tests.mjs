/** The skip reason of Node.js 20 for tests that --test-name-pattern excludes. Later versions of Node.js do not report these tests. */
const REASON = 'test name does not match pattern';

/** Yields the events of a test run, except the starts and results of tests that --test-name-pattern excludes. */
export async function* withoutExcluded(events) {
  // An excluded test has no subtests, so its result directly follows its start.
  let starts = [];
  for await (const event of events) {
    if (event.type === 'test:start') starts.push(event);
    else if (event.data.skip === REASON) starts.pop();
    else {
      yield* starts;
      starts = [];
      yield event;
    }
  }
}
