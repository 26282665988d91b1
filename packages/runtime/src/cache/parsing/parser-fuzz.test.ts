import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzParser } from '../../test-support/fuzz-parser.js';
import type { ParsedDocument } from '../../test-support/parser-comparison.js';
import { smallerFailure } from '../../test-support/smaller-failure.js';

function fuzz(...args: string[]): { readonly code: number; readonly output: string[]; readonly progress: string[] } {
  const [output, progress]: string[][] = [[], []];
  const code = fuzzParser(
    args,
    (line) => output?.push(line),
    (line) => progress?.push(line),
  );
  return { code, output: output ?? [], progress: progress ?? [] };
}

test('fuzzParser prints the seed, the progress and the counts, and generates the same documents from the same seed', () => {
  const [first, second, other] = ['1', '1', '2'].map((seed) => fuzz('--documents', '500', '--seed', seed));
  assert.deepEqual(first, second);
  assert.notDeepEqual(first?.output, other?.output);
  assert.equal(first?.code, 0);
  assert.deepEqual(first.progress, ['500 of 500 documents']);
  assert.match(
    first.output.join('\n'),
    /^seed 1, documents 0 to 499\n500 documents: \d{3} with shared values, \d{2,3} invalid, 0 defects$/,
  );
});

test('fuzzParser rejects unknown and invalid arguments', () => {
  for (const args of [
    ['--requests', '1'],
    ['--documents', '0'],
    ['--seed', 'a'],
    ['--from', '-1'],
  ])
    assert.deepEqual([fuzz(...args).code, fuzz(...args).output], [2, []]);
});

test('smallerFailure keeps only the documents and the bytes that are necessary for the failure', () => {
  const documents = Array.from(
    { length: 300 },
    (_, at): ParsedDocument => ({ isEvent: false, bytes: Buffer.from(`{"a":${at},"x":[1,2,3]}`) }),
  );
  const has = (document: ParsedDocument | undefined, text: string): boolean => document?.bytes.includes(text) ?? false;
  const smallest = smallerFailure(
    documents,
    (some) => has(some.at(-1), '[1') && some.slice(0, -1).some((each) => has(each, '7')),
  );
  assert.deepEqual(
    smallest.map(({ bytes }) => bytes.toString()),
    ['7', '[1'],
  );
});
