// The spec reporter of Node.js, with positions in the TypeScript sources.
import { Readable } from 'node:stream';
import { spec as Spec } from 'node:test/reporters';
import { inSourcesOf } from './source-positions.mjs';

export default async function* spec(events) {
  yield* Readable.from(inSourcesOf(events)).pipe(new Spec());
}
