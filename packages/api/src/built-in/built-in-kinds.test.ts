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
import { builtInKinds, builtInSchema } from './built-in-kinds.js';

describe('built-in kinds', () => {
  it('have the names that discovery reports', () => {
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
  it('are created with new as plain objects', () => {
    const pod = new Pod({ metadata: { name: 'p' }, spec: { containers: [{ name: 'c' }] } });
    assert.deepStrictEqual(pod, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c' }] },
    });
  });
  it('have a complete schema and always return the same schema object', () => {
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
  it('share the definitions of other groups', () => {
    const template = builtInSchema('apps/v1', 'Deployment')?.properties?.spec?.properties?.template;
    assert.equal(template?.properties?.spec, builtInSchema('v1', 'Pod')?.properties?.spec);
  });
  it('may have cyclic schemas', () => {
    const versions = builtInSchema('apiextensions.k8s.io/v1', 'CustomResourceDefinition')?.properties?.spec?.properties
      ?.versions;
    const schema = versions?.items?.properties?.schema?.properties?.openAPIV3Schema;
    assert.equal(schema?.properties?.not, schema);
  });
  it('declare only defaults that differ from the zero value', () => {
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
  it('include the kinds of subresources', () => {
    for (const [apiVersion, kind] of [
      ['autoscaling/v1', 'Scale'],
      ['policy/v1', 'Eviction'],
    ] as const) {
      assert.ok(
        builtInSchema(apiVersion, kind)?.properties?.spec ?? builtInSchema(apiVersion, kind)?.properties?.metadata,
      );
    }
  });
  it('provide the schemas of nested types', () => {
    assert.equal(
      partSchemaOf(JobTemplateSpec)?.().properties?.spec,
      builtInSchema('batch/v1', 'Job')?.properties?.spec,
    );
  });
  it('have one module per group version', () => {
    assert.equal(new Set(allDefinitions.map(({ apiVersion }) => apiVersion)).size, allDefinitions.length);
  });
});
