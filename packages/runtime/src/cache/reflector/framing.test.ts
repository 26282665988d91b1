import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidJsonError } from '@kubewright/api/json';
import { LineFrames } from './line-frames.js';
import { ListFrames } from './list-frames.js';
import { CutParser, WholeParser } from '../parsing/object-parser.js';

const LIST = {
  apiVersion: 'v1',
  items: [{ a: '"items":[{' }, { b: ['\\', { c: ']}' }] }, { d: 'ü€' }],
  kind: 'List',
  metadata: { resourceVersion: '7', notItems: { items: [1, [2]] } },
};

for (const indent of [undefined, 2]) {
  test(`splits a list into its items regardless of chunk boundaries (indent ${indent ?? 0})`, () => {
    const bytes = Buffer.from(JSON.stringify(LIST, undefined, indent));
    for (const size of [1, 2, 3, 7, 64, bytes.length]) {
      const frames = new ListFrames({ attempted: 'list' });
      const items: unknown[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        for (const item of frames.push(Buffer.from(bytes.subarray(at, at + size))))
          items.push(JSON.parse(String(item)));
      }
      assert.deepEqual(items, LIST.items, `chunks of ${size}`);
      assert.deepEqual(frames.envelope(), { ...LIST, items: [] });
    }
  });
}

test('returns no items for a list whose items are empty, null or missing', () => {
  for (const text of ['{"items":null,"kind":"L"}', '{"items":[ ],"kind":"L"}', '{"kind":"L"}']) {
    const frames = new ListFrames({ attempted: 'list' });
    assert.deepEqual(frames.push(Buffer.from(text)), []);
    assert.equal((frames.envelope() as { kind: string }).kind, 'L');
  }
});

test('throws InvalidJsonError for an incomplete list', () => {
  const frames = new ListFrames({ attempted: 'list' });
  frames.push(Buffer.from('{"items":[{"a":1}'));
  assert.throws(() => frames.envelope(), InvalidJsonError);
});

test('splits items of every JSON type, and returns a blank item if an item is missing', () => {
  for (const [items, expected] of [
    ['[1, "a,b]" ,null,[ [2],3] ,{"c":[]} ]', ['1', '"a,b]"', 'null', '[ [2],3]', '{"c":[]}']],
    ['[,]', ['', '']],
    ['[{"a":1},]', ['{"a":1}', '']],
    ['[{"a":1}{"b":2}]', ['{"a":1}', '{"b":2}']],
    ['[{"a":1} x]', ['{"a":1}', 'x']],
  ] as const) {
    for (const size of [1, 2, 64]) {
      const bytes = Buffer.from(`{"items":${items},"kind":"L"}`);
      const frames = new ListFrames({ attempted: 'list' });
      const found: string[] = [];
      for (let at = 0; at < bytes.length; at += size)
        found.push(...frames.push(bytes.subarray(at, at + size)).map((item) => String(item).trim()));
      assert.deepEqual(found, expected, `${items} in chunks of ${size}`);
    }
  }
});

test('throws INVALID_RESPONSE for an item, an envelope or a line that is too long, but not for many short ones', () => {
  const maxBytes = 2 * 1024 * 1024;
  const part = Buffer.alloc(64 * 1024, 'x');
  const fill = (frames: ListFrames | LineFrames, start: string): void => {
    frames.push(Buffer.from(start));
    for (let bytes = 0; bytes <= maxBytes; bytes += part.length) frames.push(part);
  };
  const list = (): ListFrames => new ListFrames({ attempted: 'list pods', maxBytes });
  const refused = (message: string): object => ({ code: 'INVALID_RESPONSE', message: new RegExp(`^${message} 2 MiB`) });
  assert.throws(() => fill(list(), '{"items":[{"a":"'), refused('list pods: an item of the list has more than'));
  assert.throws(() => fill(list(), '{"kind":"'), refused('list pods: the list without its items has more than'));
  assert.throws(
    () => fill(new LineFrames('watch pods', maxBytes), '{"type":"'),
    refused('watch pods: an event has more than'),
  );
  const [items, lines] = [list(), new LineFrames('watch pods', maxBytes)];
  items.push(Buffer.from('{"items":['));
  const item = Buffer.from(`{"a":"${'x'.repeat(100_000)}"}`);
  let count = 0;
  for (let at = 0; at < 50; at++) {
    count += items.push(item).length + items.push(Buffer.from(',')).length;
    count += lines.push(item).length + lines.push(Buffer.from('\n')).length;
  }
  assert.equal(count, 100);
});

test('returns complete lines and omits blank lines', () => {
  const frames = new LineFrames('watch');
  assert.deepEqual(frames.push(Buffer.from('ab')).map(String), []);
  assert.deepEqual(frames.push(Buffer.from('c\n\ndef\ng')).map(String), ['abc', 'def']);
  assert.equal(frames.rest().toString(), 'g');
});

const MANAGED = [{ manager: 'm', fieldsV1: { 'k:{"type":"]}"}': { '.': {} } } }];
for (const [where, metadata] of [
  ['alone', { managedFields: MANAGED }],
  ['first', { managedFields: MANAGED, name: 'n' }],
  ['last', { name: 'n', managedFields: MANAGED }],
  ['in between', { name: 'n', managedFields: MANAGED, uid: 'u' }],
  ['nowhere', { name: 'n' }],
] as const) {
  test(`removes managedFields from an object (position of the field: ${where})`, () => {
    const { managedFields: _, ...rest } = metadata as { managedFields?: unknown };
    const spec = { metadata: { managedFields: MANAGED }, managedFields: MANAGED };
    for (const [object, expected] of [
      [
        { metadata, spec },
        { metadata: rest, spec },
      ],
      [
        { spec, metadata },
        { spec, metadata: rest },
      ],
    ]) {
      for (const indent of [undefined, 1]) {
        const text = (value: unknown): Buffer => Buffer.from(JSON.stringify(value, undefined, indent));
        assert.deepEqual(new CutParser().parseObject(text(object)), expected);
        assert.deepEqual(new CutParser().parseEvent(text({ type: 'ADDED', object })), {
          type: 'ADDED',
          object: expected,
        });
        assert.deepEqual(new WholeParser().parseObject(text(object)), object);
      }
    }
  });
}

test('parses integers exactly, even beyond the range of a JavaScript number', () => {
  assert.deepEqual(
    new CutParser().parseObject(Buffer.from('{"metadata":{"managedFields":[1]},"spec":{"id":9007199254740993}}')),
    {
      metadata: {},
      spec: { id: 9007199254740993n },
    },
  );
});

test('[CA-29] the removal of managedFields accepts values without metadata', () => {
  const odd: readonly unknown[] = [
    null,
    7,
    'text',
    [],
    {},
    { metadata: null },
    { metadata: [] },
    { metadata: { managedFields: null } },
  ];
  const kept = [...odd.slice(0, -1), { metadata: {} }];
  for (const [at, value] of odd.entries()) {
    const bytes = (of: unknown): Buffer => Buffer.from(JSON.stringify(of));
    assert.deepEqual(new CutParser().parseObject(bytes(value)), kept[at]);
    assert.deepEqual(new CutParser().parseEvent(bytes(value)), value);
    assert.deepEqual(new CutParser().parseEvent(bytes({ type: 'ADDED', object: value })), {
      type: 'ADDED',
      object: kept[at],
    });
  }
});

test('counts only the bytes that are parsed, without the removed bytes', () => {
  const bare = Buffer.from(JSON.stringify({ metadata: { name: 'a' }, spec: {} }));
  const managed = Buffer.from(JSON.stringify({ metadata: { name: 'a', managedFields: MANAGED }, spec: {} }));
  const [cut, whole] = [new CutParser(), new WholeParser()];
  for (const bytes of [bare, managed]) {
    cut.parseObject(bytes);
    whole.parseObject(bytes);
    assert.deepEqual([cut.parsedBytes, whole.parsedBytes], [bare.length, bytes.length]);
  }
});
