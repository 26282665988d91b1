import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CelError } from '../values/cel-error.js';
import { celTypes } from '../values/cel-type.js';
import { compileExpression } from './compile-expression.js';
import { type Environment, functionTable } from '../check/environment.js';
import { PlanError } from './plan-error.js';

const environment: Environment = {
  functions: functionTable(),
  variables: new Map([
    ['x', celTypes.int],
    ['any', celTypes.dyn],
  ]),
  objects: new Map(),
};

function evaluate(source: string): unknown {
  const compilation = compileExpression(source, environment);
  if ('errors' in compilation) return compilation.errors;
  const { value } = compilation.compiled.evaluate([5n, 'text']);
  return value instanceof CelError ? `error: ${value.message}` : value;
}

const truths: readonly (readonly [string, string])[] = [
  ['ints have 64 bits', '9223372036854775807 - 1 == 9223372036854775806'],
  ['division rounds toward zero', '-7 / 2 == -3 && -7 % 2 == -1'],
  ['a minus before a number is part of the literal', '1 -1 == 0 && --1 == 1 && -(-1) == 1'],
  ['numbers of different types are compared by value', '1 < 1.5 && 2u > 1 && dyn(1) == dyn(1.0)'],
  ['NaN does not equal NaN', '!(0.0 / 0.0 == 0.0 / 0.0)'],
  ['values of different types are not equal', "dyn(1) != dyn('1')"],
  ['strings are ordered by code points', String.raw`'😀' > '\uffff' && 'Z' < 'a' && 'a' < 'aa'`],
  ['the size of a string is its number of code points', "size('wörld 😀') == 7"],
  [
    'positions in a string count code points',
    "'ü😀b😀'.indexOf('b') == 2 && 'ü😀b😀'.indexOf('😀', 2) == 3 && 'ü😀b😀'.lastIndexOf('😀') == 3 && 'ü😀b😀'.lastIndexOf('😀', 2) == 1",
  ],
  [
    'a position can be the end of a string',
    "'ü😀'.charAt(2) == '' && 'ü😀'.charAt(1) == '😀' && 'ü😀b'.substring(1, 2) == '😀' && 'ü😀'.substring(2) == '' && 'a'.indexOf('a', 1) == -1 && 'a'.lastIndexOf('a', 1) == -1",
  ],
  [
    'integers may have leading zeros',
    "int('-00000000000000000000000000012') == -12 && uint('00000000000000000000000012') == 12u",
  ],
  ['a conditional with a constant condition evaluates only the selected branch', 'true ? true : 1 / 0 == 1'],
  ['a map that a macro returns is a value', "[{'a': 1}].map(m, m.transformMap(k, v, v + 1)) == [{'a': 2}]"],
  [
    'literals support escape sequences',
    String.raw`'\x41\u0042\103\n' == "ABC\n" && r'\d' == '\\d' && b'\xff'.size() == 1`,
  ],
  [
    'a triple-quoted string can have several lines',
    `"""a
b""" == 'a\\nb'`,
  ],
  ['lists and maps are compared by content', "[1, 2] == [1, 2] && {'a': [1]} == {'a': [1]} && {'a': 1} != {'b': 1}"],
  ['&& ignores an error if an operand is false', '!(1 / 0 == 1 && false) && !(false && 1 / 0 == 1)'],
  ['|| ignores an error if an operand is true', '1 / 0 == 1 || true'],
  ['exists and all ignore errors like || and &&', '[0, 1].exists(e, 1 / e == 1) && ![0, 2].all(e, 2 / e == 2)'],
  ['exists_one requires exactly one match', '[1, 2, 2].exists_one(e, e == 1) && ![1, 1].exists_one(e, e == 1)'],
  ['map can filter items', '[1, 2, 3].map(e, e > 1, e * 2) == [4, 6] && [1, 2].filter(e, e > 1) == [2]'],
  ['macros iterate over the keys of a map', "{'a': 1, 'b': 2}.map(k, k) == ['a', 'b']"],
  ['nested macros have separate variables', '[1, 2].map(a, [3, 4].map(b, a * b)) == [[3, 4], [6, 8]]'],
  [
    'macros support two variables',
    "['a', 'b'].all(i, v, i < 2 && v < 'c') && {'k': 1}.exists(k, v, k == 'k' && v == 1)",
  ],
  [
    'transformList and transformMap filter and transform entries',
    "[4, 5].transformList(i, v, i > 0, v) == [5] && {'a': 1}.transformMap(k, v, v + 1) == {'a': 2}",
  ],
  ['transformMapEntry returns new entries', "{'a': 'b'}.transformMapEntry(k, v, {v: k}) == {'b': 'a'}"],
  ['has returns whether a field exists', "has({'a': 1}.a) && !has({'a': 1}.b)"],
  [
    'optional values have a presence and a default',
    "{'a': 1}.?b.orValue(2) == 2 && [1][?5].hasValue() == false && optional.of(1).optMap(v, v + 1).value() == 2",
  ],
  ['absent optional elements are omitted', "[?{'a': 1}.?a, ?{'a': 1}.?b] == [1] && {?'x': {'a': 1}.?b} == {}"],
  ['sortBy sorts by a key', "['bb', 'a'].sortBy(e, size(e)) == ['a', 'bb']"],
  [
    'values are converted between types',
    "int('12') == 12 && uint(3) == 3u && double('1.5') == 1.5 && string(1e6) == '1e+06' && bool('true')",
  ],
  [
    'durations are added to timestamps',
    "timestamp('2023-07-14T10:30:45.123Z') + duration('1h') > timestamp('2023-07-14T11:30:45Z')",
  ],
  [
    'the parts of a timestamp depend on the time zone',
    "timestamp('2023-07-14T10:30:45Z').getHours('Europe/Berlin') == 12",
  ],
  ['a type is a value', 'type(1) == int && type([]) == list && type(type(1)) == type'],
  ['patterns have RE2 syntax', "'abc'.matches('^a.c$') && 'a1b22'.findAll('[0-9]+') == ['1', '22']"],
  [
    'the list functions of Kubernetes are available',
    '[3, 1].sum() == 4 && [3, 1].min() == 1 && ![3, 1].isSorted() && [1, 2, 1].lastIndexOf(1) == 2',
  ],
  [
    'the set functions compare lists as sets',
    'sets.contains([1, 2], [2]) && sets.equivalent([1, 1], [1]) && !sets.intersects([1], [2])',
  ],
  [
    'IP addresses and CIDRs are parsed',
    "ip('::1').isLoopback() && cidr('10.0.0.0/8').containsIP('10.9.9.9') && !isIP('1.2.3')",
  ],
  [
    'quantities are compared and added',
    "quantity('1Gi').isGreaterThan(quantity('1G')) && quantity('10').add(5) == quantity('15')",
  ],
  [
    'the numbers of a semantic version have 64 bits',
    `isSemver('1.0.0-18446744073709551615') && !isSemver('1.0.0-18446744073709551616') && !isSemver('1.${'1'.repeat(1000)}.0')`,
  ],
  [
    'semantic versions are compared',
    "semver('1.2.3').isLessThan(semver('1.10.0')) && semver('v1.2', true).minor() == 2",
  ],
  ['URLs are parsed', "url('https://h:8080/p?a=1').getPort() == '8080' && !isURL('x')"],
  [
    'formats validate strings',
    "!format.dns1123Label().validate('ab').hasValue() && format.named('nope') == optional.none()",
  ],
  ['format inserts values', "'%s %d %x %.1f'.format(['a', 1, 255, 2.5]) == 'a 1 ff 2.5'"],
  [
    'the string extensions are available',
    "'a,b'.split(',').join('-').upperAscii() == 'A-B' && 'abc'.substring(1, 2) == 'b'",
  ],
];

for (const [title, source] of truths) {
  test(`${title}: ${source}`, () => assert.equal(evaluate(source), true));
}

const failures: readonly (readonly [string, string])[] = [
  ['x + 9223372036854775807 > 0', 'error: integer overflow'],
  ['x / 0 == 1', 'error: division by zero'],
  ["{'a': 1}[string(x)] == 1", 'error: no such key: 5'],
  ['[1][x] == 1', 'error: index out of bounds: 5'],
  ["int('a' + string(x)) == 1", "error: type conversion error from 'string' to 'int'"],
  ['any + 1 == 2', 'error: no such overload'],
  ['any.lowerAscii() == any.missing', 'error: no such key: missing'],
  ["matches('a', '(' + any)", 'error: error parsing regexp: missing closing ): `(text`'],
  ['optional.none().value() == 1', 'error: optional.none() dereference'],
];

for (const [source, message] of failures) {
  test(`the expression ${source} fails with the error: ${message}`, () => assert.equal(evaluate(source), message));
}

test('an evaluation is canceled when it exceeds the cost limit', () => {
  const compilation = compileExpression('lists.range(2000).map(a, lists.range(2000)).size() > 0', environment);
  assert.ok('compiled' in compilation);
  const outcome = compilation.compiled.evaluate([5n, 'text']);
  assert.equal(outcome.exceeded, true);
  assert.ok(outcome.value instanceof CelError);
  assert.equal(outcome.value.message, 'operation cancelled: actual cost limit exceeded');
});

test('the CEL function matches evaluates a pattern without backtracking', () => {
  const source = `('a' + ${JSON.stringify('a'.repeat(5000))} + 'b').matches('(a+)+$')`;
  assert.equal(evaluate(source), false);
});

test('the CEL macro map builds a list in time proportional to the length of the list', () => {
  assert.equal(evaluate('lists.range(20000).map(a, a).size() == 20000'), true);
});

test('the CEL macro transformMap builds a map in time proportional to the size of the map', () => {
  assert.equal(evaluate('lists.range(20000).transformMap(i, a, a).size() == 20000'), true);
});

test('lists and literals may have more elements than the maximum number of call arguments', () => {
  assert.equal(evaluate('[lists.range(200000)].flatten().size() == 200000'), true);
  assert.equal(evaluate(`size(b'\\n${'\u00e9'.repeat(99_000)}') == 198001`), true);
});

const words =
  `x any 1 2.5 'a' " ( ) [ ] { } . , ? : + - ! && || == < in has all map .exists( e size( true null \\ // 😀 \` %`.split(
    ' ',
  );

test('any text either compiles or is rejected with error messages', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.array(fc.constantFrom(...words), { maxLength: 25 }).map((parts) => parts.join(' ')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      let compilation: ReturnType<typeof compileExpression>;
      try {
        compilation = compileExpression(text, environment);
      } catch (error) {
        assert.ok(error instanceof PlanError);
        return;
      }
      if ('errors' in compilation) assert.match(compilation.errors, /^ERROR: <input>:-?\d+:\d+: ./);
      else assert.ok(compilation.compiled.evaluate([5n, 'text']).cost >= 0);
    }),
    { numRuns: 2000 },
  );
});

test('compileExpression rejects every form of deeply nested expression', () => {
  const deep = [
    `${'('.repeat(5000)}1${')'.repeat(5000)}`,
    `1${' + 1'.repeat(5000)}`,
    `${'-'.repeat(4999)}${'!'.repeat(5000)}x`,
    `any${'.a'.repeat(5000)}`,
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
    `${'true ? '.repeat(5000)}1`,
    `${'('.repeat(200)}1${` ${'+ 1 '.repeat(200)})`.repeat(200)}`,
  ];
  for (const source of deep) assert.match(String(evaluate(source)), /^ERROR: /);
  assert.equal(evaluate(`true${' && true'.repeat(5000)}`), true);
});
