// The spec reporter of Node.js, with positions in the TypeScript sources. Omits the tests that --test-name-pattern excludes.
import { Readable } from 'node:stream';
import { spec as Spec } from 'node:test/reporters';
import { withoutExcluded } from './excluded-tests.mjs';
import { inSourcesOf } from './source-positions.mjs';

export default async function* spec(events) {
  yield* Readable.from(withoutExcluded(inSourcesOf(events))).pipe(new Spec());
}
