import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorsOfEach, firstErrors, limitErrors } from './limit-errors.js';

const text = (error: string): string => error;

test('limitErrors lists all errors of an object with at most 1,000 errors', () => {
  const errors = Array.from({ length: 1000 }, (_, at) => `e${at}`);
  assert.deepEqual(limitErrors(errors, text), { listed: errors, texts: errors });
});

test('limitErrors lists the first 1,000 errors and reports that there are more', () => {
  const errors = Array.from({ length: 1001 }, (_, at) => `e${at}`);
  const { listed, more, texts } = limitErrors(errors, text);
  assert.deepEqual(listed, errors.slice(0, 1000));
  assert.equal(more, 'Too many: correct the listed errors to see the others');
  assert.deepEqual(texts, [...listed, more]);
});

test('limitErrors lists no more errors after 1 MiB of text, but always lists the first error', () => {
  const long = 'x'.repeat(3 * 1024 * 1024);
  assert.deepEqual(limitErrors([long], text), { listed: [long], texts: [long] });
  assert.deepEqual(limitErrors([long, 'a'], text).listed, [long]);
  const some = 'x'.repeat(400 * 1024);
  assert.equal(limitErrors([some, some, some, some], text).listed.length, 3);
});

test('limitErrors reads only one more error than it lists from an endless iterator', () => {
  let read = 0;
  function* endless(): Generator<string> {
    for (;;) yield `e${read++}`;
  }
  assert.equal(limitErrors(endless(), text).listed.length, 1000);
  assert.equal(read, 1001);
  assert.equal(limitErrors(firstErrors(endless()), text).more !== undefined, true);
});

test('firstErrors returns the first errors up to the text limit and one more error', () => {
  const some = 'x'.repeat(400 * 1024);
  const first = firstErrors(
    Array.from({ length: 500 }, () => some),
    text,
  );
  assert.equal(first.length, 4);
  assert.deepEqual(
    limitErrors(first, text),
    limitErrors(
      Array.from({ length: 500 }, () => some),
      text,
    ),
  );
});

test('errorsOfEach returns the errors of all items in order', () => {
  const errors = errorsOfEach(['a', 'b', 'c'], (item, index) => (item === 'b' ? [] : [`${item}${index}`, item]));
  assert.deepEqual(errors, ['a0', 'a', 'c2', 'c']);
});

test('errorsOfEach skips the remaining items after the number of errors exceeds the limit', () => {
  let checked = 0;
  const items = Array.from({ length: 5000 }, (_, at) => at);
  const errors = errorsOfEach(items, (at) => {
    checked++;
    return [`e${at}`, `f${at}`];
  });
  assert.equal(checked, 501);
  assert.equal(limitErrors(errors, text).more !== undefined, true);
});
