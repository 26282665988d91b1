import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GoTypes } from '../cluster-data/go-types.js';
import type { JsonDraft } from '../objects/api-object.js';
import { TypedReader, UnreadableError } from './typed-reader.js';

const types = new GoTypes();

function read(kind: string, object: JsonDraft): JsonDraft {
  const type = types.kind('v1', kind);
  assert.ok(type);
  new TypedReader(types).read(object, type);
  return object;
}

function refusal(kind: string, object: JsonDraft): string {
  try {
    read(kind, object);
  } catch (error) {
    if (error instanceof UnreadableError) return error.message;
    throw error;
  }
  return '';
}

const pod = (container: object): JsonDraft => ({ spec: { containers: [container] } });
const quantityRule = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

test('the error for a value of a wrong type contains the struct, the path and the type of the field', () => {
  const cases: readonly (readonly [JsonDraft, string])[] = [
    [pod({ name: 5 }), 'number into Go struct field Container.spec.containers.name of type string'],
    [
      pod({ imagePullPolicy: 5 }),
      'number into Go struct field Container.spec.containers.imagePullPolicy of type v1.PullPolicy',
    ],
    [{ spec: { containers: {} } }, 'object into Go struct field PodSpec.spec.containers of type []v1.Container'],
    [{ spec: 5 }, 'number into Go struct field Pod.spec of type v1.PodSpec'],
    [
      pod({ ports: [{ containerPort: 99_999_999_999 }] }),
      'number 99999999999 into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32',
    ],
    [
      { spec: { volumes: [{ emptyDir: '{}' }] } },
      'string into Go struct field Volume.spec.volumes.VolumeSource.emptyDir of type v1.EmptyDirVolumeSource',
    ],
    [
      pod({ livenessProbe: { httpGet: { port: true } } }),
      'bool into Go struct field HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.port of type int32',
    ],
  ];
  for (const [object, text] of cases) assert.equal(refusal('Pod', object), `json: cannot unmarshal ${text}`);
});

test('reads an IntOrString as text or as a 32-bit integer', () => {
  const probe = (port: unknown): JsonDraft => pod({ livenessProbe: { httpGet: { port } } });
  for (const port of ['http', 80, -(2 ** 31), 2 ** 31 - 1]) assert.equal(refusal('Pod', probe(port)), '');
  for (const port of [2 ** 31, -(2 ** 31) - 1, 1.5, 10n ** 20n]) {
    const field = 'HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.port';
    const error = `json: cannot unmarshal number ${port} into Go struct field ${field} of type int32`;
    assert.equal(refusal('Pod', probe(port)), error);
  }
});

test('reports an unparsable value before a value of a wrong type', () => {
  assert.equal(refusal('Pod', pod({ name: 5, resources: { limits: { cpu: 'abc' } } })), quantityRule);
});

test('converts quantities at any depth and times to their canonical form', () => {
  const container = (memory: unknown, cpu: unknown): object => ({
    name: '4096Mi',
    ports: [{ containerPort: 1000 }],
    resources: { limits: { memory, cpu } },
  });
  const metadata = { labels: { size: '4096Mi' }, creationTimestamp: '2020-02-20T05:00:00.5+01:00' };
  assert.deepEqual(read('Pod', { metadata, spec: { containers: [container('4096Mi', 2)] } }), {
    metadata: { ...metadata, creationTimestamp: '2020-02-20T04:00:00Z' },
    spec: { containers: [container('4Gi', '2')] },
  });
});

test('treats null as unset, or as the empty value of a map entry', () => {
  const read1 = read('Secret', { data: { a: null }, type: null, metadata: { labels: { b: null } } });
  assert.deepEqual(read1, { data: { a: '' }, metadata: { labels: { b: '' } } });
});

test('reports the position of an error in base64', () => {
  const at = ['YQ', 'YQ=', 'Y===', '%', 'YWJj%', 'YQ==YQ==', 'YWJjZ'].map((a) => refusal('Secret', { data: { a } }));
  assert.deepEqual(
    at,
    [0, 3, 1, 0, 4, 4, 4].map((byte) => `illegal base64 data at input byte ${byte}`),
  );
});

test('reports why a time does not match its layout', () => {
  const layout = '2006-01-02T15:04:05Z07:00';
  const errors = ['2020', '2020-13-01T00:00:00Z', '2020-02-30T00:00:00Z', '2020-02-20T05:00:00Zx'].map((time) =>
    refusal('ConfigMap', { metadata: { creationTimestamp: time } }),
  );
  assert.deepEqual(errors, [
    `parsing time "2020" as "${layout}": cannot parse "" as "-"`,
    'parsing time "2020-13-01T00:00:00Z": month out of range',
    'parsing time "2020-02-30T00:00:00Z": day out of range',
    'parsing time "2020-02-20T05:00:00Zx": extra text: "x"',
  ]);
});
