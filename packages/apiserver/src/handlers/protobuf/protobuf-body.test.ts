import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { finish } from '@kubewright/api/apply';
import { ApiError } from '@kubewright/api/errors';
import { SystemClock } from '@kubewright/api/clock';
import { Registry } from '../../registry/registry.js';
import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';
import { Store } from '../../storage/store.js';
import type { ApiRequest } from '../api-request.js';
import { definitionBody, field, nestedSchema, protobufBody } from './protobuf-bodies.test.support.js';
import { ProtobufBodies } from './protobuf-body.js';
import { protobufSamples } from './protobuf-samples.test.support.js';

describe('protobuf bodies', () => {
  const bodies = new ProtobufBodies();
  let registry: Registry;
  let configMaps: ResourceDefinition;
  const converted = (request: ApiRequest, definition: ResourceDefinition) => finish(bodies.asJson(request, definition));
  const post = (body: Uint8Array): ApiRequest =>
    ({ headers: { 'content-type': 'application/vnd.kubernetes.protobuf' }, body }) as Partial<ApiRequest> as ApiRequest;
  const read = (body: Uint8Array, definition = configMaps): unknown =>
    JSON.parse(Buffer.from(converted(post(body), definition).body).toString());

  before(() => {
    registry = new Registry({ store: new Store(), clock: new SystemClock() });
    configMaps = registry.builtIn('/v1/configmaps').definition;
  });

  test('a protobuf body decodes to the same object as the JSON of a real server', () => {
    for (const { json, protobuf } of protobufSamples) {
      const object = JSON.parse(json) as { readonly apiVersion: string; readonly kind: string };
      const definition = registry.findKind(object.apiVersion, object.kind);
      assert.ok(definition, object.kind);
      assert.deepEqual(comparable(read(Buffer.from(protobuf, 'base64'), definition)), comparable(object));
    }
  });

  test('converts protobuf bodies to JSON requests, and does not change other bodies', () => {
    const [sample] = protobufSamples;
    const requested = post(Buffer.from(sample?.protobuf ?? '', 'base64'));
    assert.equal(converted(requested, configMaps).headers['content-type'], 'application/json');
    const json = { ...requested, headers: { 'content-type': 'application/json' } };
    assert.equal(converted(json, configMaps), json);
    assert.equal(converted(post(new Uint8Array()), configMaps).body.length, 0);
  });

  test('decodes integers beyond the safe range without loss', () => {
    const sample = protobufSamples.find(({ json }) => json.includes('"ControllerRevision"'));
    const body = converted(
      post(Buffer.from(sample?.protobuf ?? '', 'base64')),
      registry.builtIn('apps/v1/controllerrevisions').definition,
    );
    assert.match(Buffer.from(body.body).toString(), /"revision":9007199254740993/);
  });

  test('rejects a protobuf body that is nested too deeply, without a stack overflow', () => {
    const { definition } = registry.builtIn('apiextensions.k8s.io/v1/customresourcedefinitions');
    assert.ok(read(definitionBody(nestedSchema(490)), definition));
    for (const levels of [500, 500_000]) {
      assert.throws(() => read(definitionBody(nestedSchema(levels)), definition), {
        status: 400,
        message: /cannot be handled as a CustomResourceDefinition: proto: exceeded maximum recursion depth$/,
      });
    }
  });

  test('rejects a protobuf body that contains JSON that is nested too deeply', () => {
    // Fields 17 and 7 are managedFields and fieldsV1.
    const raw = (levels: number): Buffer => {
      const fields = field(1, '{"a":'.repeat(levels) + '1' + '}'.repeat(levels));
      return protobufBody('v1', 'ConfigMap', field(1, field(17, field(7, fields))));
    };
    assert.ok(read(raw(990)));
    assert.throws(() => read(raw(100_000)), { status: 413 });
    assert.throws(() => read(raw(2000)), { status: 400, message: /exceeded max depth$/ });
  });

  test('rejects a protobuf body with too many values or fields', () => {
    const tooMany = { status: 413, message: 'Request entity too large: limit is 65536 values' };
    const entry = field(2, Buffer.concat([field(1, 'a'), field(2, 'b')]));
    const unknown = Buffer.from([15 * 8, 1]);
    const messages = [
      Buffer.alloc(entry.length * 65_537, entry),
      field(1, Buffer.alloc(65_537 * 4, field(14, 'ab'))),
      Buffer.alloc(unknown.length * 262_145, unknown),
      field(1, field(17, field(7, field(1, `[${'1,'.repeat(65_536)}1]`)))),
    ];
    for (const message of messages) assert.throws(() => read(protobufBody('v1', 'ConfigMap', message)), tooMany);
  });

  test('decodes a protobuf body in steps', () => {
    const count = 20_000;
    const unknown = Buffer.alloc(2 * count, Buffer.from([15 * 8, 1]));
    const entries = Buffer.concat(Array.from({ length: count }, (_, at) => field(2, field(1, `k${at}`))));
    const finalizers = Buffer.alloc(3 * count, field(14, 'a'));
    const messages = [unknown, entries, field(1, finalizers)].map((message) =>
      protobufBody('v1', 'ConfigMap', message),
    );
    const envelope = Buffer.concat([protobufBody('v1', 'ConfigMap', Buffer.alloc(0)), unknown]);
    for (const body of [...messages, envelope]) {
      const steps = bodies.asJson(post(body), configMaps);
      let breaks = 0;
      while (steps.next().done !== true) breaks += 1;
      assert.ok(breaks > count / 2000, `${breaks} breaks`);
    }
  });

  test('rejects an invalid protobuf body with the message of a real server', () => {
    const unrecognized = (body: string, why: string): string =>
      `the object provided is unrecognized (must be of type ConfigMap): ${why} (${Buffer.from(body).toString('hex')})`;
    const unreadable = (why: string): string => `ConfigMap in version "v1" cannot be handled as a ConfigMap: ${why}`;
    const noPrefix = 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]';
    const envelope = 'k8s\0\x0a\x0f\x0a\x02v1\x12\x09ConfigMap';
    const cases: readonly [string, string][] = [
      ['garbage', unrecognized('garbage', noPrefix)],
      ['k8s\0garbage', unrecognized('k8s\0garbage', 'proto: illegal wireType 7')],
      ['k8s\0', unrecognized('k8s\0', 'empty body')],
      ['k8s\0\x0a', unrecognized('k8s\0\x0a', 'unexpected EOF')],
      ['k8s\0\x0a\x05ab', unrecognized('k8s\0\x0a\x05ab', 'unexpected EOF')],
      ['k8s\0\0', unrecognized('k8s\0\0', 'proto: Unknown: illegal tag 0 (wire type 0)')],
      ['k8s\0\x0a\x02\0\0', unrecognized('k8s\0\x0a\x02\0\0', 'proto: TypeMeta: illegal tag 0 (wire type 0)')],
      [`${envelope}\x12\x03\x0a\x05a`, unreadable('unexpected EOF')],
      [`${envelope}\x12\x02\0\x01`, unreadable('proto: ConfigMap: illegal tag 0 (wire type 0)')],
      [`${envelope}\x12\x04\x0a\x02\0\x01`, unreadable('proto: ObjectMeta: illegal tag 0 (wire type 0)')],
    ];
    for (const [body, message] of cases) {
      assert.throws(
        () => read(Buffer.from(body)),
        (error: unknown) => {
          assert.ok(error instanceof ApiError);
          assert.equal(error.status, 400);
          assert.equal(error.message, message);
          return true;
        },
      );
    }
  });
});

/** Returns the object without fields that differ between requests, and without null values, which are equal to unset fields. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const differing = new Set(['creationTimestamp', 'time', 'uid']);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, child]) => child !== null && !differing.has(key))
      .map(([key, child]) => [key, comparable(child)]),
  );
}
