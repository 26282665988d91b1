import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { InvalidJsonError } from './invalid-json-error.js';
import { ExactJsonParser } from './exact-json-parser.js';
import { parseJson } from './parse-json.js';
import { stringifyJson } from './stringify-json.js';

test('parseJson parses an integer beyond the safe range as a bigint and preserves its digits', () => {
  const text = '{"a":[9223372036854775807,-9007199254740993],"b":9007199254740991}';
  const value = parseJson(text);
  assert.deepEqual(value, { a: [9223372036854775807n, -9007199254740993n], b: 9007199254740991 });
  assert.equal(stringifyJson(value), text);
});

test('parseJson does not parse digits of strings, fractions and exponents as a bigint', () => {
  assert.deepEqual(parseJson('{"a":"12345678901234567890","b\\"12345678901234567890":1}'), {
    a: '12345678901234567890',
    'b"12345678901234567890': 1,
  });
  assert.equal(parseJson('0.12345678901234567890'), Number('0.12345678901234567890'));
  assert.equal(parseJson('12345678901234567890e2'), Number('12345678901234567890e2'));
});

test('parseJson finds big integers at every position, also after digits in strings', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 10, maxLength: 50 });
  const filler = fc.string({ unit: fc.constantFrom(...'ab"\\1'), maxLength: 40 });
  const part = fc.oneof(filler, digits, fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), fc.double({ noNaN: true }));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const text = stringifyJson(parts);
      assert.deepEqual(parseJson(text), new ExactJsonParser(text).parse());
    }),
    { numRuns: 500 },
  );
});

test('parseJson decodes bytes as UTF-8', () => {
  assert.deepEqual(parseJson(new TextEncoder().encode('{"ä":"😀"}')), { ä: '😀' });
  assert.equal(parseJson(new TextEncoder().encode(' 12345678901234567890 ').subarray(1)), 12345678901234567890n);
});

test('parseJson stores a __proto__ key as an own property', () => {
  for (const text of ['{"__proto__":{"x":1}}', '{"__proto__":{"x":12345678901234567890}}']) {
    const value = parseJson(text) as object;
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.deepEqual(Object.keys(value), ['__proto__']);
    assert.equal(stringifyJson(value), text);
  }
});

const broken: readonly (readonly [string, number])[] = [
  ['', 0],
  ['{"a":}', 5],
  ['[1,]', 3],
  ['{"a":1,}', 7],
  ['[1 2]', 3],
  ['"a\\x"', 2],
  ['"a\nb"', 2],
  ['"open', 5],
  ['01', 1],
  ['1.', 1],
  ['nul', 0],
  ['{a:1}', 1],
  ['[12345678901234567890', 21],
  ['{} {}', 3],
];
for (const [text, position] of broken) {
  test(`the error for ${JSON.stringify(text)} contains position ${position}`, () => {
    assert.throws(
      () => parseJson(text),
      (error) => error instanceof InvalidJsonError && error.code === 'INVALID_JSON' && error.position === position,
    );
  });
}

test('ExactJsonParser accepts the same texts as JSON.parse and differs only in big integers', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      assert.deepEqual(rounded(new ExactJsonParser(text).parse()), JSON.parse(text));
    }),
  );
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'{}[]",:0123.eE+-\\u truefalsn'.split('')), maxLength: 12 }),
      (text) => {
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          assert.throws(() => new ExactJsonParser(text).parse(), InvalidJsonError);
          return;
        }
        assert.deepEqual(rounded(new ExactJsonParser(text).parse()), expected);
      },
    ),
    { numRuns: 2000 },
  );
});

test('a stringified value parses to the same value, including big integers', () => {
  const tree = fc.letrec((tie) => ({
    value: fc.oneof(
      fc.string(),
      fc.integer(),
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value;
  fc.assert(fc.property(tree, (value) => assert.deepEqual(parseJson(stringifyJson(value)), value)));
});

test('ExactJsonParser parses a string that is too long for a recursive parser', () => {
  const text = JSON.stringify(`${'x'.repeat(3_000_000)}\n`);
  assert.equal(new ExactJsonParser(text).parse(), JSON.parse(text));
});

test('ExactJsonParser parses nesting that is too deep for a recursive parser', () => {
  const depth = 200_000;
  assert.ok(Array.isArray(new ExactJsonParser('['.repeat(depth) + ']'.repeat(depth)).parse()));
});

test('stringifyJson rejects values that JSON cannot represent', () => {
  assert.throws(() => stringifyJson(undefined), InvalidJsonError);
  const cycle: Record<string, unknown> = { big: 2n ** 60n };
  cycle['self'] = cycle;
  assert.throws(() => stringifyJson(cycle), InvalidJsonError);
  assert.equal(
    stringifyJson({ at: new Date(0), n: 2n ** 60n, gone: undefined }),
    '{"at":"1970-01-01T00:00:00.000Z","n":1152921504606846976}',
  );
});

function rounded(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, field]) => [key, rounded(field)] as const);
  return Object.fromEntries(fields);
}

test('stringifyJson indents like JSON.stringify, and writes a bigint as its digits', () => {
  const value = { a: [1, { b: 'x' }, []], c: {}, d: [[2]] };
  assert.equal(stringifyJson({ ...value, big: 0n }, { indent: 2 }), JSON.stringify({ ...value, big: 0 }, undefined, 2));
  assert.equal(stringifyJson(value, { indent: 2 }), JSON.stringify(value, undefined, 2));
});

test('parseJson rejects an integer of more than 1,000 digits', () => {
  assert.equal(parseJson('1'.repeat(1000)), BigInt('1'.repeat(1000)));
  assert.throws(() => parseJson(`{"a":${'1'.repeat(1001)}}`), /a number of more than 1000 digits at position 5/);
});
