import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { defaultVersion, recordedVersions, resolveKubernetesVersion } from '@kubewright/api/kubernetes-version';
import { stringAt } from '../objects/json-object.js';
import { type ClusterData, clusterDataOf, type DiscoveredResource } from './cluster-data.js';
import { GoTypes } from './go-types.js';

interface Found {
  readonly apiVersion: string;
  readonly path: string;
  readonly resource: DiscoveredResource;
}

function resourcesOf({ discovery }: ClusterData): readonly Found[] {
  return discovery.flatMap(({ metadata: { name }, versions }) =>
    versions.flatMap(({ version, resources }) =>
      resources.map((resource) => ({
        apiVersion: name === undefined ? version : `${name}/${version}`,
        path: `${name === undefined ? '/api' : `/apis/${name}`}/${version}/${resource.resource}`,
        resource,
      })),
    ),
  );
}

/** Returns the names of the schemas that a schema refers to. */
function references(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === '$ref' && typeof child === 'string' ? child.slice('#/components/schemas/'.length) : references(child),
  );
}

describe('the data of the Kubernetes versions', () => {
  it('the data folder contains the complete data of the default version, and the differences of the other versions', () => {
    const names = recordedVersions.map(
      (version) => `kubernetes-${version}${version === defaultVersion ? '' : '.json'}`,
    );
    assert.deepEqual(readdirSync(new URL('../../../data/', import.meta.url)).toSorted(), names.toSorted());
  });

  for (const version of recordedVersions) {
    const data = clusterDataOf(resolveKubernetesVersion(version));

    it(`each resource of ${version} has a schema, a Go type, table columns and protobuf messages`, async () => {
      const types = new GoTypes(data);
      const all = resourcesOf(data);
      assert.ok(all.length > 60);
      for (const { apiVersion, path, resource } of all) {
        const { kind } = resource.responseKind;
        assert.equal(data.schema(apiVersion, kind).type, 'object', path);
        const type = types.kind(apiVersion, kind);
        assert.ok(type?.kind === 'struct' && types.fields(type.key).size > 0, path);
        assert.ok((await data.messages(apiVersion))?.type(kind)?.fields.length, path);
        if (resource.verbs.includes('list'))
          assert.ok(
            data.tables[path]?.some(({ name }) => name === 'Name'),
            path,
          );
      }
    });

    it(`each initial object of ${version} has a resource, and exists once`, () => {
      const kinds = new Set(
        resourcesOf(data).map(({ apiVersion, resource }) => `${apiVersion} ${resource.responseKind.kind}`),
      );
      const keys = data.bootstrap.map((object) => {
        assert.ok(kinds.has(`${String(object['apiVersion'])} ${String(object['kind'])}`), JSON.stringify(object));
        return [object['kind'], stringAt(object, 'metadata', 'namespace'), stringAt(object, 'metadata', 'name')].join();
      });
      assert.equal(new Set(keys).size, keys.length);
    });

    it(`the OpenAPI schemas of ${version} contain the schemas that they refer to, and the fields of the Go types`, () => {
      const schemas = data.openApiSchemas();
      for (const name of references(schemas)) assert.ok(Object.hasOwn(schemas, name), name);
      const types = new GoTypes(data);
      for (const kind of ['PodSpec', 'PodStatus', 'ServiceSpec', 'NodeStatus']) {
        const fields = [...types.fields(`core/v1.${kind}`).keys()].toSorted();
        const properties = schemas[`io.k8s.api.core.v1.${kind}`]?.['properties'] as object;
        assert.deepEqual(Object.keys(properties).toSorted(), fields);
      }
    });
  }

  it('all servers of a version share the data', () => {
    assert.equal(clusterDataOf(resolveKubernetesVersion('1.35')), clusterDataOf(resolveKubernetesVersion('1.35.1')));
    assert.notEqual(clusterDataOf(resolveKubernetesVersion('1.35')), clusterDataOf(resolveKubernetesVersion('1.36')));
  });
});
