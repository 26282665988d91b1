import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { KindRef } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { crdFor } from '@kubewright/api/metadata';
import type { StructuralSchema } from '@kubewright/api/schema';
import fc from 'fast-check';
import { describeSources } from '../descriptions/describe-sources.js';
import { CompiledModules } from '../test-support/compiled-modules.js';
import { normalSchema } from '../test-support/normal-schema.js';
import { definitions } from '../test-support/random-definitions.js';
import { classesOf } from './classes-of.js';
import { readCrds } from './read-crds.js';

/** Returns the schema of a version with only the properties spec and status, in a comparable form. */
function partsOf(crd: CustomResourceDefinition, version: string): string {
  const found = crd.spec.versions.find(({ name }) => name === version);
  const schema = found?.schema?.openAPIV3Schema as StructuralSchema;
  const { spec, status } = schema.properties ?? {};
  return normalSchema({ ...schema, properties: { ...(spec && { spec }), ...(status && { status }) } });
}

/**
 * Returns a definition in a comparable form: without the order of keys and versions, and without the default list type `atomic`. Also omits
 * the schemas of `apiVersion`, `kind`, and `metadata`.
 */
function comparable({ metadata, spec }: CustomResourceDefinition): unknown {
  const byName = Object.fromEntries(spec.versions.map((version) => [version.name, version]));
  const written = JSON.stringify(
    [metadata.name, metadata.annotations ?? {}, { ...spec, versions: byName }],
    (key, value: unknown) => {
      if (key === 'openAPIV3Schema') return withoutMeta(value as StructuralSchema);
      if (key === 'required' && Array.isArray(value)) return value.map(String).toSorted();
      return key === 'x-kubernetes-list-type' && value === 'atomic' ? undefined : value;
    },
  );
  return JSON.parse(written);
}

function withoutMeta({ properties = {}, ...schema }: StructuralSchema): StructuralSchema {
  const { apiVersion: _, kind: __, metadata: ___, ...others } = properties;
  return { ...schema, properties: others };
}

describe('the classes of a definition', () => {
  it('the generated classes preserve the complete definition, and compile', async () => {
    const path = new URL('../../src/test-support/parcels.yaml', import.meta.url);
    const [crd] = readCrds(await readFile(path, 'utf8'), 'parcels.yaml');
    assert.ok(crd);
    const classes = classesOf(crd);
    const modules = new Map(classes.map(({ version, text }) => [`${version}.ts`, text]));
    await using compiled = await CompiledModules.of(modules);
    assert.equal(compiled.answer, '');
    const sources = [...modules].map(([source, text]) => ({ path: source, text }));
    const loaded = await Promise.all(
      sources.map(async (each) => ({ source: each.path, exports: await compiled.load(each.path) })),
    );
    const kinds = loaded.map(({ exports }) => exports['Parcel'] as KindRef);
    const generated = crdFor(kinds, { descriptions: describeSources(sources).of(loaded) });
    for (const { name } of crd.spec.versions) assert.equal(partsOf(generated, name), partsOf(crd, name));
    assert.deepEqual(
      classes.map(({ differences }) => differences),
      [[], []],
    );
    assert.deepEqual({ ...generated.spec, versions: [] }, { ...crd.spec, versions: [] });
    const [mine, theirs] = [generated, crd].map(({ spec }) => spec.versions.find(({ name }) => name === 'v1'));
    assert.deepEqual({ ...mine, schema: {} }, { ...theirs, schema: {} });
    assert.equal(mine?.schema?.openAPIV3Schema?.description, theirs?.schema?.openAPIV3Schema?.description);
  });

  it('the generated classes preserve the definitions of kinds with unusual structures', async () => {
    const path = new URL('../../src/test-support/odd-kinds.yaml', import.meta.url);
    const crds = readCrds(await readFile(path, 'utf8'), 'odd-kinds.yaml');
    const imported = crds.map((crd) => ({ crd, classes: classesOf(crd) }));
    const sources = imported.flatMap(({ crd, classes }) =>
      classes.map(({ version, text }) => ({ path: `${crd.metadata.name}-${version}.ts`, text })),
    );
    await using compiled = await CompiledModules.of(new Map(sources.map(({ path: file, text }) => [file, text])));
    assert.equal(compiled.answer, '');
    for (const { crd, classes } of imported) {
      const loaded = await Promise.all(
        classes.map(async ({ version, className }) => {
          const source = `${crd.metadata.name}-${version}.ts`;
          const exports = await compiled.load(source);
          return { source, exports, kind: exports[className] as KindRef };
        }),
      );
      const descriptions = describeSources(sources).of(loaded);
      const generated = crdFor(
        loaded.map(({ kind }) => kind),
        { descriptions },
      );
      assert.deepEqual(
        classes.flatMap(({ differences }) => differences),
        [],
      );
      assert.deepEqual(comparable(generated), comparable(crd));
    }
  });

  it('the generated classes preserve random schemas, and compile', async () => {
    const crds = fc.sample(definitions, { numRuns: 25, seed: 6 });
    const classes = crds.flatMap((crd) => classesOf(crd));
    const modules = new Map(classes.map(({ text }, at) => [`case-${at}.ts`, text]));
    await using compiled = await CompiledModules.of(modules);
    assert.equal(compiled.answer.split('\n').slice(0, 20).join('\n'), '');
    for (const [at, crd] of crds.entries()) {
      const exports = await compiled.load(`case-${at}.ts`);
      const generated = crdFor(exports[classes[at]?.className ?? ''] as KindRef);
      assert.equal(partsOf(generated, 'v1'), partsOf(crd, 'v1'), `case ${at}`);
    }
  });
});
