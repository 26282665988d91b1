import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { compareDefinitions, verdictOf } from '@kubewright/api/crd-compatibility';
import type { StructuralSchema } from '@kubewright/api/schema';
import type { TestEnvironment } from '@kubewright/testing';
import { ContractApi } from '../contract/contract-api.js';
import { startEnvironment } from '../server/start-environment.js';
import { type FieldCase, fieldCases } from './crd-compatibility-cases.js';
import { ChangingKind } from './changing-kind.js';

// Compares the findings of compareDefinitions with the behavior of a server for existing objects.
let environment: TestEnvironment;

before(async () => {
  environment = await startEnvironment();
});
after(async () => {
  await environment[Symbol.asyncDispose]();
});

const spec = (which: 'before' | 'after'): StructuralSchema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fieldCases).map(([name, each]) => [name, each[which]])),
});

void describe('compareDefinitions for a changed field', () => {
  let api: ContractApi;
  let kind: ChangingKind;
  const findings = compareDefinitions(
    [ChangingKind.definition('example.com', spec('before'))],
    [ChangingKind.definition('example.com', spec('after'))],
  );

  before(async () => {
    api = await ContractApi.open(environment.connection);
    kind = await ChangingKind.install(api, spec('before'));
    for (const [name, { value }] of Object.entries(fieldCases)) {
      await kind.create(name.toLowerCase(), { [name]: value });
    }
    await kind.change(spec('after'));
  });
  after(() => api.close());

  for (const [name, each] of Object.entries(fieldCases)) {
    void test(`compareDefinitions classifies the case ${name} as ${each.class}, and the server behaves accordingly`, async () => {
      const path = `.spec.${name}${each.at ?? ''}`;
      const own = findings.filter((finding) => new RegExp(`^\\.spec\\.${name}\\b`).test(finding.path));
      assert.deepEqual(
        own.map((finding) => [finding.path, finding.change.includes(each.says)]),
        own.map(() => [path, true]),
        JSON.stringify(own),
      );
      assert.equal(verdictOf(own), each.class);
      assert.ok(
        own.length > 0 && own.every((finding) => (finding.remedy === undefined) === (finding.class === 'safe')),
      );
      await shows(kind, name, each);
    });
  }
});

/** Verifies the behavior of the server for the object of a case. */
async function shows(kind: ChangingKind, name: string, each: FieldCase): Promise<void> {
  const object = name.toLowerCase();
  const { shown } = each;
  if (each.class !== 'breaking') {
    assert.deepEqual((await kind.read(object))[name], each.value, 'the stored value is unchanged');
    assert.equal(await kind.relabel(object), 200, 'other fields of the stored object can be changed');
    assert.equal(await kind.tryCreate({ [name]: each.value }), refusedUnless(each, name));
  } else if (shown === 'label is refused') {
    assert.equal(await kind.relabel(object), 422);
  } else if (shown === 'apply is refused') {
    const status = await kind.apply(object, { [name]: each.value });
    assert.ok(status === 422 || status === 500 || status === 400, `the apply returned status ${status}`);
  } else if (shown !== undefined && 'reads' in shown) {
    assert.deepEqual((await kind.read(object))[name], shown.reads);
  } else if (shown !== undefined && 'makes' in shown) {
    assert.deepEqual((await kind.create('recreated', { [name]: each.value }))[name], shown.makes);
    await kind.remove('recreated');
  } else if (shown !== undefined && 'editRefused' in shown) {
    assert.equal(await kind.edit(object, { [name]: shown.editRefused }), 422);
  } else if (shown !== undefined) {
    assert.equal(await kind.apply(object, { [name]: shown.appliedOver }), 200);
    assert.deepEqual((await kind.read(object))[name], shown.leaves);
  } else {
    assert.fail('a breaking case has no expected failure');
  }
}

/** Returns the expected status code for a new object. A transition rule does not apply to new objects. */
function refusedUnless(each: FieldCase, name: string): number {
  return each.class === 'safe' || name === 'immutable' ? 201 : 422;
}

void describe('the server after a change to a definition', () => {
  const cases: Readonly<Record<string, DefinitionCase>> = definitionCases();
  for (const [title, run] of Object.entries(cases)) {
    void test(`the server ${title}`, async () => {
      const api = await ContractApi.open(environment.connection);
      try {
        await run(api);
      } finally {
        await api.close();
      }
    });
  }
});

type DefinitionCase = (api: ContractApi) => Promise<void>;
type Spec = CustomResourceDefinition['spec'];

function definitionCases(): Readonly<Record<string, DefinitionCase>> {
  const text: StructuralSchema = {
    type: 'object',
    properties: { text: { type: 'string' }, more: { type: 'integer' } },
  };
  const changed = (kind: ChangingKind, edit: (spec: Spec) => Spec): CustomResourceDefinition => ({
    ...kind.current,
    spec: edit(kind.current.spec),
  });
  const findingsOf = (before: CustomResourceDefinition, next: CustomResourceDefinition, path: string): string =>
    compareDefinitions([before], [next])
      .filter((finding) => finding.path === path)
      .map((finding) => `${finding.class}: ${finding.change}`)
      .join('; ');
  const findingOf = (kind: ChangingKind, next: CustomResourceDefinition, path: string): string =>
    findingsOf(kind.current, next, path);
  const versions =
    (edit: (version: Spec['versions'][number]) => object) =>
    (old: Spec): Spec => ({ ...old, versions: old.versions.map((version) => ({ ...version, ...edit(version) })) });

  return {
    'rejects a change of the scope and a change of the kind': async (api) => {
      const kind = await ChangingKind.install(api, text);
      const cluster = changed(kind, (old) => ({ ...old, scope: 'Cluster' }));
      assert.equal(findingOf(kind, cluster, 'scope'), 'breaking: Namespaced → Cluster');
      assert.equal(await kind.put(cluster), 422);
      const renamed = changed(kind, (old) => ({
        ...old,
        names: { ...old.names, kind: 'Other', listKind: 'OtherList' },
      }));
      assert.equal(findingOf(kind, renamed, 'names.kind'), 'breaking: Changing → Other');
      assert.equal(await kind.put(renamed), 422);
    },
    'rejects the removal of a stored version': async (api) => {
      const kind = await ChangingKind.install(api, text);
      const next = changed(kind, (old) => ({
        ...old,
        versions: old.versions.map((each) => ({ ...each, name: 'v2' })),
      }));
      assert.equal(findingOf(kind, next, '.'), 'breaking: version removed; safe: version added');
      assert.equal(await kind.put(next), 422);
    },
    'returns 404 for a version that is no longer served': async (api) => {
      const kind = await ChangingKind.install(api, text);
      const next = changed(
        kind,
        versions(() => ({ served: false })),
      );
      assert.equal(findingOf(kind, next, 'served'), 'breaking: true → false');
      assert.equal(await kind.put(next), 200);
      await api.until(kind.path, ({ status }) => status === 404);
    },
    'returns 404 for /status and /scale after their removal': async (api) => {
      const scale = { specReplicasPath: '.spec.more', statusReplicasPath: '.status.more' };
      const kind = await ChangingKind.install(api, text, { subresources: { status: {}, scale } });
      await kind.create('one', { more: 1 });
      assert.equal((await api.get(`${kind.path}/one/scale`, { quiet: true })).status, 200);
      const next = changed(
        kind,
        versions(() => ({ subresources: undefined })),
      );
      assert.equal(findingOf(kind, next, 'subresources.status'), 'breaking: subresource removed');
      assert.equal(findingOf(kind, next, 'subresources.scale'), 'breaking: subresource removed');
      assert.equal(await kind.put(next), 200);
      await api.until(`${kind.path}/one/scale`, ({ status }) => status === 404);
      assert.equal((await api.get(`${kind.path}/one/status`, { quiet: true })).status, 404);
    },
    'ignores the status in writes of the object after /status is added': async (api) => {
      const kind = await ChangingKind.install(api, text);
      await kind.create('one', { more: 1 });
      const next = changed(
        kind,
        versions(() => ({ subresources: { status: {} } })),
      );
      assert.equal(findingOf(kind, next, 'subresources.status'), 'breaking: subresource added');
      assert.equal(await kind.put(next), 200);
      await api.until(`${kind.path}/one/status`, ({ status }) => status === 200);
      const patched = await api.patch(`${kind.path}/one`, { status: { more: 1 } }, { quiet: true });
      assert.deepEqual([patched.status, patched.body.status], [200, undefined]);
    },
    'rejects objects with negative replicas after /scale is added': async (api) => {
      const kind = await ChangingKind.install(api, text);
      await kind.create('one', { more: -1 });
      const scale = { specReplicasPath: '.spec.more', statusReplicasPath: '.status.more' };
      const next = changed(
        kind,
        versions(() => ({ subresources: { scale } })),
      );
      assert.equal(findingOf(kind, next, 'subresources.scale'), 'breaking: subresource added');
      assert.equal(await kind.put(next), 200);
      await api.until(`${kind.path}/one/scale`, ({ status }) => status !== 404);
      assert.equal(await kind.relabel('one'), 422);
    },
    'rejects field selectors with a field that is no longer selectable': async (api) => {
      const kind = await ChangingKind.install(api, text, { selectableFields: [{ jsonPath: '.spec.text' }] });
      const list = `${kind.path}?fieldSelector=spec.text%3Da`;
      await api.until(list, ({ status }) => status === 200);
      const next = changed(
        kind,
        versions(() => ({ selectableFields: undefined })),
      );
      assert.equal(findingOf(kind, next, '.spec.text'), 'breaking: field is no longer selectable');
      assert.equal(await kind.put(next), 200);
      await api.until(list, ({ status }) => status === 400);
    },
    'rejects every change of an object that violates a new rule for the whole object': async (api) => {
      const kind = await ChangingKind.install(api, text);
      await kind.create('one', { more: 1 });
      const ruled = { 'x-kubernetes-validations': [{ rule: '!has(self.spec.more)' }] };
      const next = ChangingKind.definition(api.group, text, { rootSchema: ruled, marked: true });
      assert.equal(findingOf(kind, next, '.'), 'breaking: rule added: !has(self.spec.more)');
      await kind.change(text, { rootSchema: ruled });
      assert.equal(await kind.relabel('one'), 422);
    },
    'applies a new limit for names only to new objects': async (api) => {
      const kind = await ChangingKind.install(api, text);
      await kind.create('one', { more: 1 });
      const metadata: StructuralSchema = { type: 'object', properties: { name: { type: 'string', maxLength: 2 } } };
      const next = ChangingKind.definition(api.group, text, { rootProperties: { metadata }, marked: true });
      assert.equal(findingOf(kind, next, '.metadata.name'), 'ratcheted: maxLength none → 2');
      await kind.change(text, { rootProperties: { metadata } });
      assert.equal(await kind.relabel('one'), 200);
      assert.equal(await kind.tryCreate({}), 422);
    },
    'omits a field from reads in a new version without the field': async (api) => {
      const kind = await ChangingKind.install(api, text);
      await kind.create('one', { text: 'a', more: 1 });
      const [v1] = kind.current.spec.versions;
      const [v2] = ChangingKind.definition(api.group, {
        type: 'object',
        properties: { text: { type: 'string' } },
      }).spec.versions;
      const added = { ...v2, name: 'v2', storage: false };
      const next = changed(kind, (old) => ({ ...old, versions: [v1, added] }) as Spec);
      assert.equal(findingOf(kind, next, '.spec.more'), 'breaking: differs from v1: field removed');
      assert.equal(await kind.put(next), 200);
      const read = await api.until(`${kind.path.replace('/v1/', '/v2/')}/one`, ({ status }) => status === 200);
      assert.deepEqual(read.body.spec, { text: 'a' });
    },
    'drops a field at the next write if the new storage version does not have the field': async (api) => {
      const kind = await ChangingKind.install(api, text);
      const fewer: StructuralSchema = {
        type: 'object',
        properties: { text: { type: 'string' }, tier: { type: 'string', default: 'low' } },
      };
      const served = (spec: StructuralSchema, more: object, marked = false): Spec['versions'][number] => ({
        ...(ChangingKind.definition(api.group, spec, { marked }).spec.versions[0] as Spec['versions'][number]),
        ...more,
      });
      const [v1, v2] = [served(text, {}), served(fewer, { name: 'v2', storage: false })];
      const both = changed(kind, (old) => ({ ...old, versions: [v1, v2] }));
      assert.equal(await kind.put(both), 200);
      const inV2 = kind.path.replace('/v1/', '/v2/');
      await api.until(inV2, ({ status }) => status === 200);
      await kind.create('one', { text: 'a', more: 1 });
      // When the server reads a stored object, it sets the defaults of the storage version.
      assert.deepEqual((await api.get(`${inV2}/one`, { quiet: true })).body.spec, { text: 'a' });
      const moved = [served(text, { storage: false }, true), { ...v2, storage: true }];
      const next = changed(kind, (old) => ({ ...old, versions: moved }));
      assert.match(findingsOf(both, next, '.spec.more'), /^breaking: differs from v1: field removed$/);
      assert.equal(await kind.put(next), 200);
      await api.until(`${kind.path}/one`, ({ body }) => body['changed'] === true);
      assert.deepEqual(await kind.read('one'), { text: 'a', more: 1 });
      assert.equal(await kind.relabel('one'), 200);
      assert.deepEqual(await kind.read('one'), { text: 'a' });
    },
    'keeps stored values after a change of the storage version': async (api) => {
      const kind = await ChangingKind.install(api, text);
      await kind.create('one', { text: 'a' });
      const [v1] = kind.current.spec.versions;
      const next = changed(kind, (old) => ({
        ...old,
        versions: [{ ...v1, storage: false } as never, { ...v1, name: 'v2' } as never],
      }));
      assert.equal(verdictOf(compareDefinitions([kind.current], [next])), 'safe');
      assert.equal(await kind.put(next), 200);
      const read = await api.until(`${kind.path.replace('/v1/', '/v2/')}/one`, ({ status }) => status === 200);
      assert.deepEqual(read.body.spec, { text: 'a' });
    },
  };
}
