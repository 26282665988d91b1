import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish } from '@kubewright/api/apply';
import { InvalidYamlError } from './invalid-yaml-error.js';
import { type ParseYamlOptions, parsePlainYaml, parseYaml } from './parse-yaml.js';

const manifest = `---
# A comment.
apiVersion: v1
kind: List
items:
- metadata:
    name: a  # another comment
    labels: {}
    annotations:
      "example.com/a": 'on'
      example.com/b: "a: b # c"
  spec:
    replicas: 3
    ratio: 0.5
    enabled: yes
    nothing:
    mode: 0644
    id: 9007199254740993
    time: 12:30
    date: 2026-01-01
    command: ["a"]
`;

/** The pieces from which the test builds random texts. */
const pieces = [
  'a: b\n',
  'a:\n',
  '  b: c\n',
  '  b:\n',
  '    c: d\n',
  '- a\n',
  '- a: b\n',
  '  - a: 1\n',
  '- - a\n',
  '-\n',
  '- key: "x"\n',
  'c: |\n    x\n     y\n\n',
  'c: |-\n  x\n',
  'c: |\n x # y\n\n\n',
  '- |\n  x\n',
  'd: {}\n',
  'd: []\n',
  'd: [a, b]\n',
  'e: "a # b"\n',
  "e: 'a: b' # c\n",
  'e: "a\\nb"\n',
  '# comment\n',
  '   # comment\n',
  '\n',
  '  \n',
  'f: ~\n',
  'f: on\n',
  'on: f\n',
  '"on": f\n',
  '5: f\n',
  'e5: e55555\n',
  'g: 0x1F\n',
  'g: 1_000\n',
  'g: -5\n',
  'g: - 5\n',
  'g: .5\n',
  'g: <<\n',
  '<<: g\n',
  '=: =\n',
  'g: a:b\n',
  'g: a: b\n',
  'g: a:\n',
  'g: a#b\n',
  'g: a #b\n',
  'g:a\n',
  'g : a\n',
  'g: a \n',
  'g: a\tb\n',
  'g: é😀\n',
  'g: a\u2028b\n',
  'g: &a b\n',
  'g: *a\n',
  'g: !a b\n',
  'g: @a\n',
  'g: %a\n',
  'g: ?a\n',
  'g: \\a\n',
  'g: (a)\n',
  'g: "a" b\n',
  'g: "a\n',
  '--- \n',
  '---\n',
  '...\n',
  '%YAML 1.1\n',
  'constructor: __proto__\n',
  '__proto__: a\n',
  '? a\n',
  ': a\n',
  '\t\n',
  '    x\n',
  ' x\n',
  'x',
  'a: b',
  '\r\n',
];

/** Returns a generator of a fixed sequence of numbers below 2^32. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
}

const plain = (text: string, options?: ParseYamlOptions) => finish(parsePlainYaml(text, options));

function slowly(text: string, uniqueKeys: boolean): readonly unknown[] | Error {
  try {
    return parseYaml(text, { uniqueKeys });
  } catch (error) {
    assert.ok(error instanceof InvalidYamlError);
    return error;
  }
}

test('parses plain manifests like the YAML library', () => {
  const text = manifest.replace('    command: ["a"]\n', '');
  assert.deepEqual(plain(text), { value: parseYaml(text)[0] });
  assert.equal(plain(manifest), undefined);
});

test('parses random texts like the library, or returns undefined', () => {
  const next = numbers(1);
  let read = 0;
  for (let run = 0; run < 20_000; run += 1) {
    const size = 1 + ((next() >>> 8) % 6);
    const text = Array.from({ length: size }, () => pieces[(next() >>> 8) % pieces.length] ?? '').join('');
    const uniqueKeys = run % 2 === 0;
    const found = plain(text, { uniqueKeys });
    if (found === undefined) continue;
    read += 1;
    assert.deepEqual([found.value], slowly(text, uniqueKeys), JSON.stringify(text));
  }
  assert.ok(read > 2000, `only ${read} texts were plain`);
});

test('returns undefined for duplicate keys if keys must be unique', () => {
  assert.equal(plain('a: 1\na: 2\n'), undefined);
  assert.deepEqual(plain('a: 1\na: 2\n', { uniqueKeys: false }), { value: { a: 2 } });
});

test('parses long texts in steps', () => {
  const lines = 10_000;
  const texts = ['- a\n', '- a:\n', '- - a\n', 'a: |\n  b\n' + '\n'.repeat(lines), '#\n'.repeat(lines) + 'a: b\n'];
  for (const text of texts) {
    const steps = parsePlainYaml(text.length < 20 ? text.repeat(lines) : text);
    let breaks = 0;
    while (steps.next().done !== true) breaks += 1;
    assert.ok(breaks >= lines / 1000, `${breaks} breaks for ${JSON.stringify(text.slice(0, 20))}`);
  }
});
