import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { InvalidYamlError } from './invalid-yaml-error.js';
import { parseYaml } from './parse-yaml.js';

/** The output of `kubectl label --local -o json` for each value. */
const asKubectl: readonly [string, unknown][] = [
  ['12:30', '12:30'],
  ['190:20:30', '190:20:30'],
  ['12:30.5', '12:30.5'],
  ['0644', 420],
  ['0o644', 420],
  ['yes', true],
  ['y', true],
  ['on', true],
  ["'on'", 'on'],
  ['2024-01-01', '2024-01-01'],
  ['1_000', 1000],
  ['1e3', 1000],
  ['.5', 0.5],
  ['0x1F', 31],
  ['0b11', 3],
  ['-0b11', -3],
  ['~', null],
  ['9007199254740993', 9007199254740993n],
  ['123456789012345678901234567890', 1.2345678901234568e29],
  ['089', 89],
  ['=', '='],
  ['.', '.'],
  ['-.', '-.'],
  ['._', '._'],
  ['!!binary aGVsbG8=', 'hello'],
];

describe('parseYaml', () => {
  for (const [text, value] of asKubectl) {
    test(`parses ${text} like kubectl`, () => assert.deepEqual(parseYaml(`a: ${text}`), [{ a: value }]));
  }

  test('parses keys like kubectl', () => {
    assert.deepEqual(parseYaml('on: 1\nn: 2\n5: 3'), [{ true: 1, false: 2, 5: 3 }]);
  });

  test('parses all documents and JSON, and returns null for an empty document', () => {
    assert.deepEqual(parseYaml('a: 1\n---\n# nothing\n---\n{"b": [2]}\n'), [{ a: 1 }, null, { b: [2] }]);
    assert.deepEqual(parseYaml(''), []);
  });

  test('reports the line of an error', () => {
    const line = (text: string): number | undefined => {
      try {
        parseYaml(text);
      } catch (error) {
        assert.ok(error instanceof InvalidYamlError);
        return error.line;
      }
      return assert.fail('the text was not rejected');
    };
    assert.equal(line('a: 1\nb: [\n'), 3);
    assert.equal(line('a: 1\na: 2\n'), 2);
  });

  test('rejects deeply nested texts without a crash of the process', () => {
    const blocks = Array.from({ length: 2000 }, (_, level) => `${' '.repeat(level)}a:`).join('\n');
    for (const text of ['['.repeat(1700), '['.repeat(100_000), '- '.repeat(100_000), '? '.repeat(3000), blocks]) {
      assert.throws(() => parseYaml(text), { name: 'InvalidYamlError', message: 'exceeded max depth' });
    }
    assert.equal(JSON.stringify(parseYaml(`${'['.repeat(490)}${']'.repeat(490)}`)).length, 982);
  });

  test('rejects an anchor that contains itself, and aliases with too many levels', () => {
    const level = (at: number): string => `l${at}: &l${at} ${'['.repeat(400)}*l${at - 1} ${']'.repeat(400)}`;
    const levels = Array.from({ length: 3 }, (_, at) => level(at + 1));
    for (const text of ['a: &a [*a]', ['l0: &l0 x', ...levels].join('\n')]) {
      assert.throws(() => parseYaml(text), { name: 'InvalidYamlError', message: 'exceeded max depth' });
    }
    const nested = `${'['.repeat(400)}"x"${']'.repeat(400)}`;
    assert.equal(JSON.stringify(parseYaml(`l0: &l0 x\n${level(1)}`)), `[{"l0":"x","l1":${nested}}]`);
  });

  test('writes no warnings about a text', async () => {
    const warnings: string[] = [];
    const record = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', record);
    parseYaml('{ x: 1 }: unusual key');
    await setImmediate();
    process.off('warning', record);
    assert.deepEqual(
      warnings.filter((message) => message.includes('Keys with collection values')),
      [],
    );
  });

  test('reports only the first error', () => {
    const message = 'A node can have at most one tag at line 1, column 4';
    assert.throws(() => parseYaml('!a '.repeat(1000)), { name: 'InvalidYamlError', message });
  });

  test('accepts tags and anchors of a map and of its first key', () => {
    const [value] = parseYaml('a: &a !!map\n  &b !!str k: !!str "!x"\n');
    assert.deepEqual(value, { a: { k: '!x' } });
  });

  // With quadratic time, each of these texts takes minutes.
  test('parses large texts in linear time', () => {
    const keys = Array.from({ length: 50_000 }, (_, at) => `key${at}: 1\n`).join('');
    assert.equal(Object.keys(parseYaml(keys)[0] as object).length, 50_000);
    assert.equal((parseYaml('- !a x\n'.repeat(50_000))[0] as unknown[]).length, 50_000);
  });

  test('reports the first error of a long text that the parser does not read to the end', () => {
    for (const piece of ['!a ', '!!binary ', '&a ', '"" ', "'' "]) {
      const message = new RegExp(` at line 1, column ${piece.length + 1}$`);
      assert.throws(() => parseYaml(piece.repeat(200_000)), { name: 'InvalidYamlError', message });
    }
  });

  test('uses the last value of a duplicate key if duplicate keys are allowed', () => {
    assert.deepEqual(parseYaml('a: 1\na: 2\n', { uniqueKeys: false }), [{ a: 2 }]);
  });

  test('rejects aliases with exponential expansion', () => {
    const levels = Array.from(
      { length: 8 },
      (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`,
    );
    assert.throws(() => parseYaml(['l0: &l0 [x]', ...levels].join('\n')), InvalidYamlError);
  });
});
