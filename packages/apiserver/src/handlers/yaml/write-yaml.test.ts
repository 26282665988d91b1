import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseYaml } from './parse-yaml.js';
import { compareKeys, yamlListPieces, yamlText } from './write-yaml.js';

/** Pieces of texts that YAML can confuse with other values or with its own syntax. */
const pieces = [
  ...'#,[]{}&*!|>\'"%@`?:-. \n\t\\~=<+_/$',
  'a',
  'word ',
  'on',
  'null',
  '0x1F',
  '1e3',
  '12:30',
  '2024-01-31',
  'ä',
  '語',
  '😀',
  '\u0085',
  '\u2028',
  '\ufeff',
  '\r',
  '\0',
  '# a',
  ': ',
  '- ',
  '---',
  '...',
];
const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(''));
const scalars = fc.oneof(
  texts,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(0.5, -1.25, 1e-7, 1234567.5),
);
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      texts.map((text) => `k${text}`),
      tie('value'),
      { maxKeys: 4 },
    ),
  ),
}));

describe('yamlText', () => {
  test('writes values that parseYaml reads unchanged', () => {
    fc.assert(
      fc.property(values, (value) => {
        assert.deepEqual(parseYaml(yamlText({ value }))[0], JSON.parse(JSON.stringify({ value })));
      }),
      { numRuns: 3000 },
    );
  });

  test('writes lists without indentation, and sorts keys', () => {
    const object = { spec: { list: [{ b: 1, a: [] }, [2, [3]]], none: {}, omitted: undefined }, kind: 'Widget' };
    assert.equal(
      yamlText(object),
      `kind: Widget
spec:
  list:
  - a: []
    b: 1
  - - 2
    - - 3
  none: {}
`,
    );
  });

  test('writes the same text for a list in pieces as for the whole list', () => {
    const items = [
      { name: 'b', text: 'x\ny\n' },
      { name: 'a', none: {} },
    ];
    const body = { head: { kind: 'List', apiVersion: 'v1', metadata: {} }, field: 'items', text: String } as const;
    const value = (item: unknown): unknown => item;
    for (const values of [items, []]) {
      const whole = yamlText({ ...body.head, items: values });
      assert.equal([...yamlListPieces({ ...body, values, value })].join(''), whole);
    }
  });
});

test('compareKeys compares keys by their numbers, and sorts letters after other characters', () => {
  const sorted = ['-x', '1', '9', '10', 'A', 'a', 'a-b', 'a1', 'a01', 'a2', 'a10', 'ab', 'b'];
  assert.deepEqual(sorted.toReversed().toSorted(compareKeys), sorted);
});
