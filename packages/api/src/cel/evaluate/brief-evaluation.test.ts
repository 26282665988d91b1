import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { functionTable } from '../check/environment.js';
import { TakesLong } from '../../schema/time-limit.js';
import { celTypes, listOf, mapOf } from '../values/cel-type.js';
import { ListValue } from '../values/list-value.js';
import { MapValue } from '../values/map-value.js';
import { type CompiledExpression, compileExpression, type Outcome } from './compile-expression.js';

const { int, string } = celTypes;
const COUNT = 40_000;
const numbers = new ListValue(Array.from({ length: COUNT }, (_, at) => BigInt(at)));
const entries = new MapValue(Array.from({ length: COUNT }, (_, at) => [`k${at}`, 'v']));
const text = 'a'.repeat(400_000);
const few = new ListValue([1n, 2n, 3n]);

const variables = new Map([
  ['list', listOf(int)],
  ['map', mapOf(string, string)],
  ['text', string],
]);

function compile(source: string): CompiledExpression {
  const compilation = compileExpression(source, { functions: functionTable(), variables, objects: new Map() });
  if ('errors' in compilation) throw new Error(compilation.errors);
  return compilation.compiled;
}

/** Returns a clock that advances by 1 ms each time it is read. */
function ticking(): () => number {
  let nowMs = 0;
  return () => (nowMs += 1);
}

const large = (source: string, nowMs?: () => number): Outcome =>
  compile(source).evaluate([numbers, entries, text], { nowMs });
const small = (source: string): unknown =>
  compile(source).evaluate([few, new MapValue([['k', 'v']]), 'text'], { nowMs: ticking() }).value;

/** Expressions that are true for small and large values. For most of them, the duration is not proportional to the cost. */
const long: readonly string[] = [
  'list.all(x, list.all(y, x + y >= 0) || true)',
  'list.all(x, list == list)',
  'list.all(x, map == map)',
  "list.all(x, '%s'.format([list]) != '')",
  'list.all(x, (list + list).size() > 0)',
  'list.all(x, map.exists(k, true))',
  'list.all(x, size(map) > 0)',
  'list.all(x, size(text) > 0)',
  "list.all(x, timestamp('2020-01-01T00:00:00Z').getHours('Asia/Tokyo') == 9)",
  `list.all(x, [x, ${Array.from({ length: 5000 }, () => '1').join(', ')}].size() > 5000)`,
  `list.all(x, x in [${Array.from({ length: 5000 }, (_, at) => -at - 1).join(', ')}] || true)`,
  'list.map(x, list).flatten().size() > 0',
  'list.distinct().size() > 0',
  'sets.contains(list, list)',
  'list.max() >= 3',
  "text.matches('^[a-z]+$')",
  'text.matches(text) || true',
  "!isQuantity(text + 'z')",
  "text.replace('t', text) != ''",
  "text.split('').size() > 1",
  "text.charAt(0) != ''",
  "text.indexOf('z') < 0",
  "[text].join(text) != ''",
  'strings.quote(text).size() > 1',
  "isURL('http://' + text)",
  "['', text].sort().size() == 2",
];

describe('a brief evaluation', () => {
  for (const source of long) {
    const title = source.slice(0, 60);
    test(`throws TakesLong for ${title} if the values are large`, () => {
      assert.throws(() => large(source, ticking()), TakesLong);
    });
    test(`completes ${title} if the values are small`, () => assert.equal(small(source), true));
  }
});

test('an evaluation without a time limit completes', () => {
  const { value, exceeded } = large("'%s'.format([list]).size() > 0 && text.matches('^a+$')");
  assert.deepEqual({ value, exceeded }, { value: true, exceeded: false });
});

test('a function whose result exceeds 4,194,304 characters or 262,144 list elements exceeds the cost limit', () => {
  const sources = [
    "text.replace('a', text) == ''",
    "text.replace('', text) == ''",
    "'%s%s'.format([[text, text, text, text, text, text, text, text, text, text, text], lists.range(9).map(x, lists.range(9).map(y, text))]) == ''",
    "list.map(x, text).join() == ''",
    'list.map(x, list).flatten().size() == 0',
    `(${Array.from({ length: 27 }, () => 'list').join(' + ')}).size() == 0`,
  ];
  for (const source of sources) assert.equal(large(source).exceeded, true, source);
});

test('an evaluation stops before a call whose cost exceeds the limit', () => {
  const begin = process.cpuUsage();
  for (const source of [
    'list.distinct().size() > 0',
    'sets.equivalent(list, list)',
    'lists.range(1000000000).size() > 0',
  ])
    assert.equal(large(source).exceeded, true, source);
  // Without the cost limit, each of the calls would take at least a second.
  assert.ok(process.cpuUsage(begin).user < 500_000);
});
