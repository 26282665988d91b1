import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidYamlError } from './invalid-yaml-error.js';
import { parseYaml } from './parse-yaml.js';
import { parseYamlApart } from './parse-yaml-apart.js';

/** This text is not plain YAML, and is too long for the calling thread. */
const long = `&a first: [1, 9007199254740993, .nan, -0.0, "x"]\n${'# comment\n'.repeat(1000)}`;

test('a worker thread parses a long text with the same result as parseYaml', async () => {
  assert.deepEqual(await parseYamlApart(long, {}), { value: parseYaml(long)[0], repeated: [] });
});

test('a worker thread reports the same error and line of a long text as parseYaml', async () => {
  const text = `${long}second: 'a\n`;
  let expected: unknown;
  try {
    parseYaml(text);
  } catch (error) {
    expected = error;
  }
  assert.ok(expected instanceof InvalidYamlError);
  const { message, line } = expected;
  await assert.rejects(parseYamlApart(text, {}), { name: 'InvalidYamlError', message, line });
});

test('rejects a text that needs too much memory, without ending the process', async () => {
  const text = `a: [${'{b: c}, '.repeat(350_000)}]\n`;
  await assert.rejects(parseYamlApart(text, {}), {
    name: 'InvalidYamlError',
    message: /needs more than 48 MB of memory/,
  });
});

test('ends a worker thread that parses a text for too long', async () => {
  await assert.rejects(parseYamlApart(long, {}, { mostMs: 1 }), {
    message: 'Timeout: request did not complete within the requested timeout - context deadline exceeded',
  });
});

test('serves other requests while a worker thread parses a text', async () => {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await parseYamlApart(`a: [${'b, '.repeat(20_000)}]\n`, {});
  isDone = true;
  assert.ok(turns > 1, 'the event loop did not turn during the parsing');
});
