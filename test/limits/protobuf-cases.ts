import { configMaps, list, mostBytes } from './case-bodies.js';
import type { LimitCase, LimitRequest } from './limit-case.js';

const type = 'application/vnd.kubernetes.protobuf';

function varint(value: number): Buffer {
  return value < 128
    ? Buffer.of(value)
    : Buffer.concat([Buffer.of((value % 128) + 128), varint(Math.floor(value / 128))]);
}
function field(number: number, content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}
/** Returns a request that creates an object from its message. The field numbers are those of the generated.proto files of Kubernetes. */
function create(
  path: string,
  [apiVersion, kind]: readonly [string, string],
  { message, around = '' }: { readonly message: Uint8Array; readonly around?: string | Uint8Array },
): LimitRequest {
  const typeMeta = Buffer.concat([field(1, apiVersion), field(2, kind)]);
  return {
    method: 'POST',
    path,
    type,
    body: Buffer.concat([Buffer.from('k8s\0'), field(1, typeMeta), field(2, message), Buffer.from(around)]),
  };
}

const name = field(1, field(1, 'a'));
const configMap = (message: Uint8Array): LimitRequest =>
  create(configMaps, ['v1', 'ConfigMap'], { message: Buffer.concat([name, message]) });
const entries = (count: number): Buffer =>
  Buffer.concat(list(count, (at) => field(2, Buffer.concat([field(1, `k${at}`), field(2, 'v')]))));
const definition = (schema: Uint8Array): LimitRequest =>
  create(
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All',
    ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
    { message: Buffer.concat([name, field(2, field(7, field(4, field(1, schema))))]) },
  );
/** Returns nested messages. Each message is in field 28 of the outer message, which is `not` in JSONSchemaProps. */
function nested(levels: number): Buffer {
  const heads: Buffer[] = [];
  let length = 0;
  for (let level = 0; level < levels; level += 1) {
    const head = Buffer.concat([varint(28 * 8 + 2), varint(length)]);
    heads.push(head);
    length += head.length;
  }
  return Buffer.concat(heads.toReversed());
}

/** Requests with bodies in protobuf. */
export const protobufCases: readonly LimitCase[] = [
  { name: '30,000 keys in protobuf', request: configMap(entries(30_000)), status: 201 },
  { name: '100,000 keys in protobuf', request: configMap(entries(100_000)), status: 413 },
  {
    name: '260,000 unknown fields in protobuf',
    request: configMap(Buffer.alloc(520_000, Buffer.of(15 * 8, 1))),
    status: 201,
  },
  {
    name: '3 MiB of unknown fields in protobuf',
    request: configMap(Buffer.alloc(mostBytes - 1024, Buffer.of(15 * 8, 1))),
    status: 413,
  },
  {
    name: '3 MiB of unknown fields around a message in protobuf',
    request: create(configMaps, ['v1', 'ConfigMap'], {
      message: name,
      around: Buffer.alloc(mostBytes - 1024, Buffer.of(15 * 8, 1)),
    }),
    status: 201,
  },
  { name: '400,000 nested messages in protobuf', request: definition(nested(400_000)), status: 400 },
];
