import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { assertEqualParsers, parsed } from '../../test-support/parser-comparison.js';
import { LineFrames } from '../reflector/line-frames.js';
import { ListFrames } from '../reflector/list-frames.js';
import { CutParser } from './object-parser.js';
import { SharingParser } from './sharing-parser.js';
import { SharedValues } from './sharing-reader.js';

const DOCUMENTS = 5000;
const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', labels: { app: 'web' }, managedFields: [{ manager: ']"', fieldsV1: { 'k:{"]"}': {} } }] },
  spec: {
    containers: [{ name: 'app', ports: [{ containerPort: 8080, protocol: 'TCP' }], tty: false, args: ['-v', ''] }],
  },
  status: { podIPs: [], ratio: 0.5, message: 'größer als "1"\n', conditions: [{ type: 'Ready', lastProbeTime: null }] },
};

function sharing(first = 0): SharingParser {
  return new SharingParser(new SharedValues(), first);
}

function text(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

test(`parses ${DOCUMENTS} generated documents like the complete parser`, () => assertEqualParsers(DOCUMENTS));

test('parses a list and a watch that are split at every byte, and rejects them when truncated at every byte', () => {
  const envelope = { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '1' } };
  const list = text({ ...envelope, items: [POD, POD] });
  const lines = Buffer.from(`${JSON.stringify({ type: 'ADDED', object: POD })}\n`.repeat(2));
  const { managedFields: _, ...metadata } = POD.metadata;
  const pod = { ...POD, metadata };
  const parser = sharing();
  for (let at = 0; at <= list.length; at++) {
    for (const reader of [undefined, parser]) {
      const frames = new ListFrames({ attempted: 'list', reader });
      const items = [list.subarray(0, at), list.subarray(at)].flatMap((part) => frames.push(part));
      assert.deepEqual(
        [...items, ...frames.end()].map((item) => (Buffer.isBuffer(item) ? parser.parseObject(item) : item.value)),
        [pod, pod],
      );
      assert.deepEqual(frames.envelope(), { ...envelope, items: [] });
    }
  }
  const first = text(POD);
  const [line] = new LineFrames('watch').push(lines);
  assert.ok(line);
  for (let at = 0; at < first.length; at++)
    assert.throws(() => parser.parseObject(first.subarray(0, at)), /not valid JSON/);
  for (let at = 0; at < line.length; at++)
    assert.throws(() => parser.parseEvent(line.subarray(0, at)), /not valid JSON/);
  for (let at = 0; at <= lines.length; at++) {
    const frames = new LineFrames('watch');
    const events = [lines.subarray(0, at), lines.subarray(at)].flatMap((part) => frames.push(part));
    assert.deepEqual(
      events.map((event) => parser.parseEvent(event)),
      [1, 2].map(() => ({ type: 'ADDED', object: pod })),
    );
  }
});

test('parses the first objects of a kind like the complete parser', () => {
  const [complete, parser] = [new CutParser(), new SharingParser(new SharedValues())];
  const { managedFields: _, ...metadata } = POD.metadata;
  const documents: readonly unknown[] = [
    POD,
    { ...POD, metadata },
    { metadata: { managedFields: [{ manager: 'ü', time: 'now' }] } },
    { metadata: { managedFields: 1 } },
    {},
    [POD],
    'text',
  ];
  for (let round = 0; round < 50; round++) {
    for (const document of documents) {
      for (const [value, isEvent] of [
        [document, false],
        [{ type: 'ADDED', object: document }, true],
      ] as const) {
        const [expected, actual] = [complete, parser].map((each) => parsed(each, { bytes: text(value), isEvent }));
        assert.deepEqual(actual, expected);
      }
    }
  }
});

test('shares equal strings and subtrees of different objects, but never the objects', () => {
  const values = new SharedValues();
  const [pods, others] = [new SharingParser(values, 0), new SharingParser(values, 0)];
  const [a, b] = [1, 2].map(() => pods.parseObject(text(POD)) as typeof POD);
  assert.notEqual(a, b);
  assert.equal(a?.spec, b?.spec);
  assert.equal(a?.status, b?.status);
  assert.equal(Object.isFrozen(a), false);
  assert.ok(Object.isFrozen(a?.metadata));
  // Another kind has other shapes. Its arrays of strings are shared.
  const other = others.parseObject(text(POD)) as typeof POD;
  assert.equal(other.spec.containers[0]?.args, a?.spec.containers[0]?.args);
});

test('parses known objects in which any byte has changed like the complete parser', () => {
  const [complete, parser] = [new CutParser(), sharing()];
  const json = text(POD);
  for (let at = 0; at < json.length; at++) {
    for (const byte of Buffer.from('[]{}",:0 ')) {
      // The parser remembers subtrees that occurred more than once.
      for (let round = 0; round < 3; round++) parser.parseObject(json);
      const changed = Buffer.from(json);
      changed[at] = byte;
      const [expected, actual] = [complete, parser].map((each) => parsed(each, { bytes: changed, isEvent: false }));
      assert.deepEqual(actual, expected, changed.toString('latin1'));
    }
  }
});

test('does not share 0 with -0, and does not freeze values of the complete parser', () => {
  const parser = sharing();
  for (const json of ['0', '-0', '0', '-0']) {
    const { a } = parser.parseObject(Buffer.from(`{"a":[{"b":${json}}]}`)) as { readonly a: readonly { b: number }[] };
    assert.ok(Object.is(a[0]?.b, Number(json)));
    assert.equal(Object.isFrozen(a), json === '0');
  }
});

test('parses the first objects like the complete parser, without shared values', () => {
  const parser = sharing(2);
  const isShared = [1, 2, 3].map(() => Object.isFrozen((parser.parseObject(text(POD)) as typeof POD).spec));
  assert.deepEqual(isShared, [false, false, true]);
});

test('limits the memory of hostile objects: each object has other names and values', () => {
  const parser = sharing();
  const rounds = 20_000;
  let before = 0;
  for (let at = 0; at < rounds; at++) {
    if (at === rounds / 2) before = heapBytes();
    const labels = { [`name-${at}`]: `value-${at}`.padEnd(100, 'x') };
    const deep = { [`a-${at % 64}`]: { [`b-${at % 61}`]: { [`c-${at % 59}`]: { [`d-${at % 53}`]: [{ e: {} }] } } } };
    const object = { metadata: { labels, [`other-${at}`]: [at, { [`deep-${at}`]: labels }] }, deep };
    assert.deepEqual(parser.parseObject(text(object)), object);
  }
  const grown = heapBytes() - before;
  assert.ok(grown < 12_000_000, `${grown} bytes after the second half`);
});

test('reads objects of any depth and size', () => {
  const parser = sharing();
  for (const depth of [10, 63, 64, 65, 1000]) {
    const json = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    assert.equal(JSON.stringify(parser.parseObject(Buffer.from(json))), json);
  }
  const wide = {
    data: Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`key-${at}`, at])),
    big: 'x'.repeat(300_000),
  };
  assert.deepEqual(parser.parseObject(text(wide)), wide);
  assert.deepEqual(parser.parseObject(text({ ...wide, big: '' })), { ...wide, big: '' });
});

function heapBytes(): number {
  setFlagsFromString('--expose_gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}
