import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { builtInKinds } from '@kubewright/api/built-in';
import { ApiError } from '@kubewright/api/errors';
import type { KindInfo } from '@kubewright/api/metadata';
import { loadMessages, ProtobufEncoder } from '@kubewright/api/protobuf';
import { ProtobufKind, SilentLogger, Transport } from '@kubewright/runtime/internal';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { OBJECTS } from './protobuf-objects.js';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
/** Kinds that have objects on every server, or are in `OBJECTS`. */
const MIN_KINDS = 35;

let env: TestEnvironment;
let transport: Transport;

before(async () => {
  env = await startEnvironment();
  transport = new Transport(env.connection);
  for (const object of OBJECTS) await env.client.create(object as unknown as KubeObject);
});
after(async () => {
  await transport.close();
  await env[Symbol.asyncDispose]();
});

function pathOf({ group, apiVersion, plural = '' }: KindInfo): string {
  return group === '' ? `/api/${apiVersion}/${plural}` : `/apis/${apiVersion}/${plural}`;
}

interface List {
  readonly items: readonly KubeObject[];
}

/** Returns the objects of a list in JSON. Returns undefined for a kind that cannot be listed. */
async function listed(kind: KindInfo): Promise<List | undefined> {
  try {
    return await transport.request<List>({ method: 'GET', path: pathOf(kind) });
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 405)) return undefined;
    throw error;
  }
}

describe('protobuf of an API server', () => {
  test('decodes to the same objects as JSON, and equals the output of the encoder for these objects', async () => {
    const found = new Set<string>();
    const encoder = new ProtobufEncoder();
    for (const kind of builtInKinds()) {
      const list = await listed(kind);
      if (list === undefined) continue;
      const { apiVersion } = kind;
      const resource = { apiVersion, kind: kind.kind, builtIn: true };
      const logger = new SilentLogger();
      const reader = await new ProtobufKind({ resource, logger, shareValues: true, keepManagedFields: true }).reader();
      const type = (await loadMessages(apiVersion))?.type(kind.kind);
      assert.ok(reader && type);
      const byVersion = new Map(list.items.map((each) => [versionOf(each), each]));
      const body = await transport.request<Buffer>({
        method: 'GET',
        path: pathOf(kind),
        accept: PROTOBUF,
        decode: (bytes) => bytes,
      });
      const { items } = reader.decode(body) as unknown as List;
      const messages = items.map((each) => encoder.field(2, encoder.message(type, each as never)));
      assert.ok(body.includes(Buffer.concat(messages)), `${apiVersion} ${kind.kind}: other bytes`);
      for (const item of items) {
        // An object that has changed between the two requests cannot be compared. Objects without a UID are not stored.
        const same = byVersion.get(versionOf(item));
        if (same === undefined || item.metadata.uid === undefined) continue;
        assert.deepEqual(item, { ...same, apiVersion, kind: kind.kind });
        found.add(`${apiVersion} ${kind.kind}`);
      }
    }
    assert.ok(found.size >= MIN_KINDS, [...found].join('\n'));
  });
});

function versionOf({ metadata: { uid, resourceVersion } }: KubeObject): string {
  return `${uid} ${resourceVersion}`;
}
