import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deployment } from '../generated/apps/v1.js';
import { JobTemplateSpec } from '../generated/batch/v1.js';
import { allDefinitions } from '../generated/all-definitions.js';
import { Pod } from '../generated/core/v1.js';
import { kindOf } from '../kinds/kind-of.js';
import { objectSchemaOf } from '../kinds/schema-of.js';
import { partSchemaOf } from '../metadata/kind-source.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { builtInKind, builtInKinds, builtInSchema } from './built-in-kinds.js';

describe('built-in kinds', () => {
  it('kindOf and builtInKinds return the names of built-in kinds', () => {
    const { apiVersion, plural, namespaced, shortNames, hasStatus, builtIn } = kindOf(Deployment);
    assert.deepEqual(
      [apiVersion, plural, namespaced, hasStatus, builtIn],
      ['apps/v1', 'deployments', true, true, true],
    );
    assert.deepEqual(shortNames, ['deploy']);
    const names = builtInKinds().map((info) => `${info.apiVersion} ${info.kind}`);
    assert.equal(new Set(names).size, names.length);
    for (const name of [
      'v1 Pod',
      'apps/v1 StatefulSet',
      'coordination.k8s.io/v1 Lease',
      'autoscaling/v2 HorizontalPodAutoscaler',
    ]) {
      assert.ok(names.includes(name), name);
    }
  });
  it('builtInKind finds a kind by apiVersion and name', () => {
    for (const info of builtInKinds()) assert.deepEqual(builtInKind(info.apiVersion, info.kind), info);
    assert.equal(builtInKind('apps/v1', 'Pod'), undefined);
    assert.equal(builtInKind('example.com/v1', 'Pod'), undefined);
    assert.equal(builtInKind('v1', 'toString'), undefined);
  });
  it('new creates an object of a built-in kind as a plain object', () => {
    const pod = new Pod({ metadata: { name: 'p' }, spec: { containers: [{ name: 'c' }] } });
    assert.deepStrictEqual(pod, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c' }] },
    });
  });
  it('builtInSchema returns the same schema object in each call, and undefined for unknown kinds', () => {
    for (const { apiVersion, kind } of builtInKinds()) {
      const schema = builtInSchema(apiVersion, kind);
      assert.equal(schema?.type, 'object', `${apiVersion} ${kind}`);
      assert.equal(schema, builtInSchema(apiVersion, kind));
    }
    assert.equal(objectSchemaOf(Pod), builtInSchema('v1', 'Pod'));
    assert.equal(builtInSchema('v1', 'Nothing'), undefined);
    assert.equal(builtInSchema('example.com/v1', 'Pod'), undefined);
    assert.equal(builtInSchema('v1', 'toString'), undefined);
  });
  it('schemas that contain a type of another group share the schema of this type', () => {
    const template = builtInSchema('apps/v1', 'Deployment')?.properties?.spec?.properties?.template;
    assert.equal(template?.properties?.spec, builtInSchema('v1', 'Pod')?.properties?.spec);
  });
  it('a schema that refers to itself is a cycle of objects', () => {
    const versions = builtInSchema('apiextensions.k8s.io/v1', 'CustomResourceDefinition')?.properties?.spec?.properties
      ?.versions;
    const schema = versions?.items?.properties?.schema?.properties?.openAPIV3Schema;
    assert.equal(schema?.properties?.not, schema);
  });
  it('schemas contain only defaults that differ from the zero value of Go', () => {
    const seen = new Set<StructuralSchema>();
    const visit = (schema: StructuralSchema): void => {
      if (seen.has(schema)) return;
      seen.add(schema);
      assert.ok(!['', 0, false].includes(schema.default as string) && !('$ref' in schema));
      Object.values(schema.properties ?? {}).forEach(visit);
      if (schema.items !== undefined) visit(schema.items);
      if (typeof schema.additionalProperties === 'object') visit(schema.additionalProperties);
    };
    for (const { apiVersion, kind } of builtInKinds()) visit(builtInSchema(apiVersion, kind) ?? {});
    assert.ok(seen.size > 1000);
    const port = builtInSchema('v1', 'Pod')?.properties?.spec?.properties?.containers?.items?.properties?.ports?.items;
    assert.equal(port?.properties?.protocol?.default, 'TCP');
  });
  it('builtInSchema returns the schemas of subresource kinds such as Scale', () => {
    for (const [apiVersion, kind] of [
      ['autoscaling/v1', 'Scale'],
      ['policy/v1', 'Eviction'],
    ] as const) {
      assert.ok(
        builtInSchema(apiVersion, kind)?.properties?.spec ?? builtInSchema(apiVersion, kind)?.properties?.metadata,
      );
    }
  });
  it('partSchemaOf returns the schema of a built-in nested type', () => {
    assert.equal(
      partSchemaOf(JobTemplateSpec)?.().properties?.spec,
      builtInSchema('batch/v1', 'Job')?.properties?.spec,
    );
  });
  it('each group-version has exactly one module', () => {
    assert.equal(new Set(allDefinitions.map(({ apiVersion }) => apiVersion)).size, allDefinitions.length);
  });
});
