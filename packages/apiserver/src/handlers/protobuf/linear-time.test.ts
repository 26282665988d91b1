import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { finish } from '@kubewright/api/apply';
import { SystemClock } from '@kubewright/api/clock';
import { Registry } from '../../registry/registry.js';
import { Store } from '../../storage/store.js';
import type { ApiRequest } from '../api-request.js';
import { field, protobufBody, varint } from './protobuf-bodies.test.support.js';
import { ProtobufBodies } from './protobuf-body.js';

/**
 * The number of elements in the shorter body. The longer body has twice as many elements, which is below the limit of values of a request.
 */
const LENGTH = 30_000;
/** The minimum CPU time in milliseconds that the comparison uses, because shorter measurements are too inaccurate. */
const LEAST_MS = 200;

const many = (length: number, element: (at: number) => Uint8Array): Buffer =>
  Buffer.concat(Array.from({ length }, (_, at) => element(at)));
const entries = (length: number, number: number): Buffer =>
  many(length, (at) => field(number, Buffer.concat([field(1, `k${at}`), field(2, 'v')])));
/** Returns a map with one entry whose value has 25 bytes per element. */
const long = (length: number, number: number): Buffer =>
  field(number, Buffer.concat([field(1, 'k'), field(2, 'v'.repeat(25 * length))]));

/** The field numbers are the numbers in Kubernetes' generated.proto files. */
const cases: Readonly<Record<string, readonly [plural: string, kind: string, (length: number) => Buffer]>> = {
  'the data of a ConfigMap with many keys': ['configmaps', 'ConfigMap', (length) => entries(length, 2)],
  'the binary data of a ConfigMap with many keys': ['configmaps', 'ConfigMap', (length) => entries(length, 3)],
  'the data of a Secret with many keys': ['secrets', 'Secret', (length) => entries(length, 2)],
  'many labels of a Pod': ['pods', 'Pod', (length) => field(1, entries(length, 11))],
  'many containers of a Pod': [
    'pods',
    'Pod',
    (length) =>
      field(
        2,
        many(length, (at) => field(2, field(1, `c${at}`))),
      ),
  ],
  'many arguments of a container': [
    'pods',
    'Pod',
    (length) => field(2, field(2, Buffer.concat([field(1, 'c'), many(length, (at) => field(4, `a${at}`))]))),
  ],
  'a packed list of integers': ['pods', 'Pod', (length) => field(2, field(14, field(4, many(length, varint))))],
  'a long string': ['configmaps', 'ConfigMap', (length) => long(length, 2)],
  'long bytes': ['secrets', 'Secret', (length) => long(length, 2)],
  'many unknown fields': ['pods', 'Pod', (length) => many(length, () => field(999, 'x'))],
};

describe('protobuf bodies', () => {
  const bodies = new ProtobufBodies();
  let registry: Registry;
  before(() => {
    registry = new Registry({ store: new Store(), clock: new SystemClock() });
  });

  for (const [title, [plural, kind, message]] of Object.entries(cases)) {
    test(`decodes ${title} in linear time`, () => {
      const { definition } = registry.builtIn(`/v1/${plural}`);
      const decode = (length: number): number => {
        const body = protobufBody('v1', kind, message(length));
        const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
        const request: Partial<ApiRequest> = { headers, body };
        return cpuMs(() => finish(bodies.asJson(request as ApiRequest, definition)));
      };
      const [first, second] = [decode(LENGTH), decode(2 * LENGTH)];
      assert.ok(second < 3 * Math.max(first, LEAST_MS), `${first} ms, and ${second} ms for twice the length`);
    });
  }
});

function cpuMs(run: () => unknown): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
