import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { builtInKinds } from '../built-in/built-in-kinds.js';
import { messageLoaders } from '../generated/message-loaders.js';
import { loadMessages } from './load-messages.js';
import type { MessageSet } from './message-set.js';
import type { MessageType } from './message-type.js';
import { ProtobufDecoder } from './protobuf-decoder.js';
import { ProtobufEncoder } from './protobuf-encoder.js';
import { MalformedProtobufError, UnsupportedProtobufError } from './protobuf-error.js';
import { RandomObjects } from './random-object.test.support.js';
import { SharedMessages } from './shared-messages.js';

const ROUNDS = 12;
const encoder = new ProtobufEncoder();

/** Returns the value that a decoder returns, or the name of its error. */
function outcome(decode: () => unknown): unknown {
  try {
    return decode();
  } catch (error) {
    assert.ok(error instanceof MalformedProtobufError || error instanceof UnsupportedProtobufError, String(error));
    return 'rejected';
  }
}

function heapBytes(): number {
  setFlagsFromString('--expose_gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

describe('protobuf messages', () => {
  let sets: readonly MessageSet[] = [];
  let pod: MessageType;
  const typeOf = (name: string): MessageType => {
    const type = sets.map((set) => set.type(name)).find((found) => found !== undefined);
    assert.ok(type, name);
    return type;
  };

  before(async () => {
    sets = await Promise.all(Object.keys(messageLoaders).map(async (each) => (await loadMessages(each)) as MessageSet));
    pod = typeOf('Pod');
  });

  test('every built-in kind has a message', async () => {
    for (const { apiVersion, kind } of builtInKinds()) {
      assert.ok((await loadMessages(apiVersion))?.type(kind), `${apiVersion} ${kind}`);
    }
    assert.equal(await loadMessages('example.com/v1'), undefined);
    assert.equal(await loadMessages('constructor'), undefined);
  });

  test('decodes encoded objects of every message to equal objects, with and without shared values', () => {
    const random = new RandomObjects(1);
    const [complete, sharing] = [new ProtobufDecoder(), new ProtobufDecoder({ shared: new SharedMessages() })];
    let count = 0;
    for (let round = 0; round < ROUNDS; round++) {
      for (const set of sets) {
        for (const name of set.names) {
          const type = set.type(name) as MessageType;
          const object = random.object(type);
          const bytes = encoder.message(type, object);
          assert.deepEqual(complete.object(type, { bytes }), object, type.name);
          // The second object shares the values of the first one.
          for (let again = 0; again < 2; again++) assert.deepEqual(sharing.object(type, { bytes }), object, type.name);
          assert.deepEqual(encoder.message(type, sharing.object(type, { bytes })), bytes);
          count++;
        }
      }
    }
    assert.ok(count > 5000, String(count));
  });

  test('decodes changed and truncated bytes like a decoder that shares nothing, or rejects them', () => {
    const random = new RandomObjects(2);
    const sharing = new ProtobufDecoder({ shared: new SharedMessages() });
    const complete = new ProtobufDecoder();
    let rejected = 0;
    for (const name of ['Pod', 'Deployment', 'CustomResourceDefinition', 'ControllerRevision', 'Event', 'Lease']) {
      const type = typeOf(name);
      const bytes = encoder.message(type, random.object(type)).subarray(0, 1500);
      for (let at = 0; at < bytes.length; at++) {
        for (const byte of [undefined, 0x00, 0x0a, 0x7f, 0x80, 0xff]) {
          const changed = byte === undefined ? bytes.subarray(0, at) : Buffer.from(bytes);
          if (byte !== undefined) changed[at] = byte;
          const expected = outcome(() => complete.object(type, { bytes: changed }));
          if (expected === 'rejected') rejected++;
          for (let again = 0; again < 2; again++) {
            assert.deepEqual(
              outcome(() => sharing.object(type, { bytes: changed })),
              expected,
            );
          }
        }
      }
    }
    assert.ok(rejected > 1000);
  });

  test('shares equal values, freezes them, and never shares the objects or their metadata', () => {
    const decoder = new ProtobufDecoder({ shared: new SharedMessages(), keepManagedFields: false });
    const metadata = { name: 'a', labels: { app: 'web', tier: 'front' } };
    const managedFields = [{ manager: 'kubectl', operation: 'Update', fieldsV1: { 'f:spec': {} } }];
    const spec = {
      containers: [{ name: 'app', image: 'registry.example.com/app:1', resources: {}, args: ['-v', '-x'] }],
    };
    const status = { phase: 'Running' };
    const bytes = encoder.message(pod, { metadata: { ...metadata, managedFields }, spec, status });
    const typeMeta = { apiVersion: 'v1', kind: 'Pod' };
    const [first, second] = [1, 2].map(() => decoder.object(pod, { bytes }, typeMeta));
    assert.deepEqual(first, { ...typeMeta, metadata, spec, status });
    assert.ok(decoder.skippedBytes > 20);
    assert.notEqual(first, second);
    assert.notEqual(first?.['metadata'], second?.['metadata']);
    assert.equal(first?.['spec'], second?.['spec']);
    assert.ok(!Object.isFrozen(first) && Object.isFrozen(first?.['metadata']) && Object.isFrozen(first?.['spec']));
    const own = new ProtobufDecoder().object(pod, { bytes });
    assert.deepEqual(own['metadata'], { ...metadata, managedFields });
    assert.ok(!Object.isFrozen(own['metadata']) && !Object.isFrozen(own['spec']));
  });

  test('rejects fields that the message does not have, repeated fields, unordered fields and deep messages', () => {
    const decoder = new ProtobufDecoder();
    const unsupported = (bytes: Buffer, message: RegExp, type = pod): void => {
      assert.throws(
        () => decoder.object(type, { bytes }),
        (error: Error) => error instanceof UnsupportedProtobufError && message.test(error.message),
      );
    };
    const empty = Buffer.alloc(0);
    unsupported(encoder.field(9, empty), /core\/v1\.Pod has no field with number 9/);
    unsupported(encoder.field(1, encoder.field(16, empty)), /ObjectMeta has no field with number 16/);
    unsupported(Buffer.concat([encoder.field(2, empty), encoder.field(1, empty)]), /not in order/);
    unsupported(Buffer.concat([encoder.field(1, empty), encoder.field(1, empty)]), /not in order/);
    let schema: Record<string, unknown> = {};
    for (let depth = 0; depth < 300; depth++) schema = { not: schema };
    const type = typeOf('JSONSchemaProps');
    unsupported(encoder.message(type, schema), /nested too deeply/, type);
  });

  test('rejects lengths and integers that exceed their message, with the position', () => {
    const decoder = new ProtobufDecoder();
    for (const [hex, message] of [
      ['0a', /length is too large|does not end/],
      ['0a05', /longer than its message \(byte 2\)/],
      ['0affffffff0f', /longer than its message/],
      ['0affffffffffffffffff01', /a length is too large/],
      ['0affffffffffffffffffffff01', /an integer does not end/],
      ['08ff', /wire type 0/],
      ['1201', /longer than its message/],
    ] as const) {
      assert.throws(
        () => decoder.object(pod, { bytes: Buffer.from(hex, 'hex') }),
        (error: Error) => error instanceof MalformedProtobufError && message.test(error.message),
        hex,
      );
    }
  });

  test('limits the memory of hostile objects: each object has other names, values and fields', () => {
    const decoder = new ProtobufDecoder({ shared: new SharedMessages() });
    const rounds = 20_000;
    let start = 0;
    for (let at = 0; at < rounds; at++) {
      if (at === rounds / 2) start = heapBytes();
      const labels = { [`name-${at}`]: `value-${at}`.padEnd(100, 'x'), [`other-${at % 300}`]: String(at) };
      const object = { metadata: { labels, annotations: labels }, spec: { containers: null }, status: {} };
      assert.deepEqual(decoder.object(pod, { bytes: encoder.message(pod, object) }), object);
    }
    const grown = heapBytes() - start;
    assert.ok(grown < 12_000_000, `${grown} bytes after the second half`);
  });
});
