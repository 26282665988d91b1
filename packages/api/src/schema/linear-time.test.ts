import assert from 'node:assert/strict';
import { test } from 'node:test';
import { celTypes } from '../cel/values/cel-type.js';
import { compileExpression } from '../cel/evaluate/compile-expression.js';
import { functionTable } from '../cel/check/environment.js';
import { isQuantity } from '../quantity/parse.js';
import { textFormat } from './text-formats.js';

const LENGTH = 20_000;
/**
 * The minimum for the first measured time, in milliseconds. A shorter time counts as this minimum, because it is too inaccurate to show the
 * growth.
 */
const LEAST_MS = 50;

const cel = (source: string): ((text: string) => unknown) => {
  const environment = {
    functions: functionTable(),
    variables: new Map([['text', celTypes.string]]),
    objects: new Map(),
  };
  const compilation = compileExpression(source, environment);
  if ('errors' in compilation) throw new Error(`cannot compile ${source}`);
  return (text) => compilation.compiled.evaluate([text]);
};
const format = (name: string): ((text: string) => unknown) => {
  const test = textFormat(name);
  assert.ok(test !== undefined, name);
  return test;
};
const zeros = (length: number): string => `${'0'.repeat(length)}!`;

const cases: Readonly<Record<string, readonly [(text: string) => unknown, (length: number) => string]>> = {
  'a quantity of digits': [isQuantity, zeros],
  'the format duration': [format('duration'), zeros],
  'the format email': [format('email'), (length) => ' '.repeat(length)],
  'CEL double()': [cel('double(text) == 0.0'), zeros],
  'CEL duration()': [cel("duration(text) == duration('0s')"), zeros],
  'CEL trim()': [cel("text.trim() == ''"), (length) => `a${' '.repeat(length)}a`],
};

for (const [title, [read, textOf]] of Object.entries(cases)) {
  test(`the time for ${title} is proportional to the length of the text`, () => {
    const [once, twice] = [textOf(LENGTH), textOf(2 * LENGTH)];
    const [first, second] = [cpuMs(() => read(once)), cpuMs(() => read(twice))];
    assert.ok(second < 3 * Math.max(first, LEAST_MS), `${first} ms, and ${second} ms for twice the length`);
  });
}

function cpuMs(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
