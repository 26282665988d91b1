import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { dynamicKind, type KubeObject } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { isNotFound, KubewrightError } from '@kubewright/api/errors';
import { connect } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { stringify } from 'yaml';
import { kubectlBinaries, NO_KUBECTL } from '../kubectl/kubectl.js';
import { startEnvironment } from '../server/start-environment.js';

const run = promisify(execFile);
const kubectl = kubectlBinaries().at(-1);
const group = 'manifests.example.com';

interface Versions {
  readonly [name: string]: { readonly served: boolean; readonly storage: boolean };
}
function definition(plural: string, versions: Versions, fields: readonly string[] = ['size']): object {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: 'integer' }]));
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } };
  const singular = plural.slice(0, -1);
  const kind = singular.charAt(0).toUpperCase() + singular.slice(1);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular, kind, listKind: `${kind}List` },
      versions: Object.entries(versions).map(([name, version]) => ({ name, ...version, schema })),
    },
  };
}
const v1 = { v1: { served: true, storage: true } };
const thing = (kind: string, spec: object, version = 'v1'): KubeObject =>
  ({ apiVersion: `${group}/${version}`, kind, metadata: { name: 'a', namespace: 'default' }, spec }) as never;

describe('a test environment', () => {
  let env: TestEnvironment;
  let folder: string;
  const write = async (name: string, ...documents: readonly object[]): Promise<string> => {
    const path = join(folder, name);
    const text = name.endsWith('.json')
      ? JSON.stringify(documents[0])
      : documents.map((d) => stringify(d)).join('---\n');
    await writeFile(path, text);
    return path;
  };
  const code = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof KubewrightError, String(error));
    return `${error.code}: ${error.message}`;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubewright-manifests-'));
    const crds = join(folder, 'crds');
    await mkdir(crds);
    await write('crds/boxes.yaml', definition('boxes', v1));
    await write('crds/crates.json', definition('crates', v1));
    await write('crds/notes.txt', { not: 'a manifest' });
    await write('crds/config.yml', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'passed-over' } });
    const two = await write('two.yaml', definition('barrels', v1), definition('boxes', v1, ['size', 'weight']));
    env = await startEnvironment({ crds: [crds, two] });
  });
  after(async () => {
    await env[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  test('[OT-15] a test environment serves the kinds of manifests in folders and files, and uses the last of two definitions with the same name', async () => {
    for (const kind of ['Crate', 'Barrel']) await env.client.create(thing(kind, { size: 1 }));
    const box = await env.client.create(thing('Boxe', { size: 1, weight: 2 }));
    assert.deepEqual((box as { readonly spec?: unknown }).spec, { size: 1, weight: 2 });
  });

  test('[OT-15] a test environment serves only the served versions of a definition', async () => {
    const versions = { v1alpha1: { served: false, storage: false }, ...v1 };
    await env.install({ crds: [await write('casks.yaml', definition('casks', versions))] });
    await env.client.create(thing('Cask', { size: 1 }));
    const unserved = env.client.live.list(dynamicKind(`${group}/v1alpha1`, 'Cask'));
    assert.match(await code(unserved), /KIND_NOT_SERVED/);
  });

  test('[OT-16] a test environment rejects missing paths, manifests without a definition, and definitions without a served version', async () => {
    assert.match(await code(env.install({ crds: [join(folder, 'absent')] })), /NO_MANIFEST.*the path does not exist/);
    const other = await write('other.yaml', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
    assert.match(await code(env.install({ crds: [other] })), /NO_MANIFEST.*it contains no CustomResourceDefinition/);
    const never = await write('never.yaml', definition('voids', { v1: { served: false, storage: true } }));
    assert.match(await code(env.install({ crds: [never] })), /INVALID_MANIFEST.*voids.* serves no version/);
    await writeFile(join(folder, 'broken.yaml'), 'a: [1');
    assert.match(await code(env.install({ crds: [join(folder, 'broken.yaml')] })), /INVALID_MANIFEST.*broken\.yaml/);
  });

  test('[OT-17] a test environment installs a kind again, installs a newer definition, and uninstalls a kind with its objects', async () => {
    const kegs = await write('kegs.yaml', definition('kegs', v1));
    await env.install({ crds: [kegs] });
    const keg = await env.client.create(thing('Keg', { size: 1 }));
    await env.install({ crds: [kegs] });
    assert.deepEqual(await env.read(keg), keg, 'a second installation changes nothing');

    await write('kegs.yaml', definition('kegs', v1, ['size', 'hoops']));
    await env.install({ crds: [kegs] });
    const hoops = async (): Promise<unknown> => {
      const { spec } = (await env.client.patch(keg, (draft) => {
        Object.assign(draft as { spec?: object }, { spec: { size: 1, hoops: 4 } });
      })) as { readonly spec?: { readonly hoops?: number } };
      return spec?.hoops;
    };
    // A real server applies the new definition asynchronously.
    while ((await hoops()) === undefined) continue;

    await env.uninstall({ crds: [kegs] });
    await assert.rejects(
      env.read(keg),
      (error) => isNotFound(error) || (error as KubewrightError).code === 'KIND_NOT_SERVED',
    );
    await env.uninstall({ crds: [kegs] });
  });

  test('[OT-20] a test environment writes a kubeconfig with which other clients can connect', async () => {
    const path = join(folder, 'kubeconfig');
    await env.writeKubeconfig(path);
    await using cluster = await connect({ kubeconfig: path });
    const map = new ConfigMap({ metadata: { name: 'by-kubeconfig', namespace: 'default' }, data: { a: 'b' } });
    assert.deepEqual((await cluster.client.create(map)).data, { a: 'b' });
  });

  test('[OT-22] a test environment accepts requests of kubectl', {
    skip: kubectl === undefined && NO_KUBECTL,
  }, async () => {
    const path = join(folder, 'kubectl-config');
    await env.writeKubeconfig(path);
    const { stdout } = await run(kubectl?.path ?? '', [
      '--kubeconfig',
      path,
      'get',
      'namespace',
      'default',
      '-o',
      'name',
    ]);
    assert.equal(stdout.trim(), 'namespace/default');
  });

  test('[OT-23] a test environment waits for a state of an object and for its deletion', async () => {
    const map = new ConfigMap({ metadata: { name: 'awaited', namespace: 'default' }, data: { step: '0' } });
    const awaited = env.until(map, ({ data }) => data?.step === '2');
    const created = await env.client.create(map);
    for (const step of ['1', '2']) {
      await env.client.patch(created, (draft) => {
        draft.data = { step };
      });
    }
    assert.equal((await awaited).data?.step, '2');
    const deletion = env.untilDeleted(created);
    await env.client.delete(created);
    await deletion;
    await assert.rejects(env.read(created), isNotFound);
  });
});
