import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { install, statusAndScale, version, widgets, widgetsOf } from './custom-kinds.js';

const configMaps = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/configmaps`;
const deployments = (api: ContractApi): string => `/apis/apps/v1/namespaces/${api.namespace}/deployments`;
const json = 'application/json-patch+json';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';

async function makeConfigMap(api: ContractApi, data: object = { a: '1', b: '2' }): Promise<string> {
  await api.post(configMaps(api), { metadata: { name: 'c', labels: { l: 'x' } }, data }, { quiet: true });
  return `${configMaps(api)}/c`;
}

async function makeDeployment(api: ContractApi): Promise<string> {
  await api.post(
    deployments(api),
    {
      metadata: { name: 'web', finalizers: ['example.com/a', 'example.com/b'] },
      spec: {
        replicas: 0,
        paused: true,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: {
            containers: [
              {
                name: 'one',
                image: 'one:1',
                env: [
                  { name: 'A', value: '1' },
                  { name: 'B', value: '2' },
                ],
                ports: [{ containerPort: 80 }, { containerPort: 81, name: 'other' }],
                args: ['x', 'y'],
              },
              { name: 'two', image: 'two:1' },
            ],
            volumes: [{ name: 'v', emptyDir: {} }],
            tolerations: [{ key: 'k', operator: 'Exists' }],
          },
        },
      },
    },
    { quiet: true },
  );
  return `${deployments(api)}/web`;
}

const podSpec = (spec: object): object => ({ spec: { template: { spec } } });
const shown = {
  type: strategic,
  only: ['code', 'message', 'reason', 'details', 'spec.template.spec', 'spec.strategy'],
};

async function makeWidget(api: ContractApi, spec: object = { size: 1, colour: 'red' }): Promise<string> {
  await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
  const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec };
  await api.post(widgetsOf(api), widget, { quiet: true });
  return `${widgetsOf(api)}/w`;
}

contract(
  'patching',
  {},
  {
    'returns 404 for a patch of an absent object without parsing the patch': async (api) => {
      for (const type of [json, strategic, merge]) {
        for (const body of ['x', '5', '[5]', '{}']) await api.patch(`${configMaps(api)}/missing`, body, { type });
      }
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      await api.patch(`${pods}/missing/status`, 'x', { type: json });
      await api.patch(`${pods}/missing/status?fieldManager=m`, '5', { type: 'application/apply-patch+yaml' });
    },
    'reports values with wrong types of a strategic merge patch': async (api) => {
      const path = await makeDeployment(api);
      for (const spec of [
        5,
        [],
        { replicas: 'x' },
        { replicas: 1.5 },
        { template: { spec: { containers: {} } } },
        { template: { spec: { containers: [{ name: 5, image: 'x' }] } } },
        { template: { metadata: { labels: [] } } },
        { template: { metadata: { labels: { a: 5 }, creationTimestamp: 'x' } } },
        { paused: 'x', strategy: { rollingUpdate: { maxSurge: true } } },
      ]) {
        await api.patch(path, { spec }, { type: strategic });
      }
      await api.patch(path, { kind: 5 }, { type: strategic });
      await api.patch(`${path}?fieldValidation=Strict`, { spec: { nope: [1, null] } }, { type: strategic });
    },
    'does not merge a strategic merge patch with absent fields': async (api) => {
      const path = await makeDeployment(api);
      const only = { only: ['message', 'spec.template.spec.initContainers.*.name', 'metadata.ownerReferences'] };
      await api.patch(path, { metadata: { ownerReferences: [{}] } }, { type: strategic, ...only });
      const initContainers = [
        { name: 'a', image: 'i', command: null },
        { name: 'b', $patch: 'delete' },
      ];
      await api.patch(path, { spec: { template: { spec: { initContainers } } } }, { type: strategic, ...only });
      await api.patch(path, { $patch: 5 }, { type: strategic });
    },
    'rejects JSON patch operations with invalid members before it applies any operation': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      for (const operation of [{ op: 5 }, { op: 'add', path: {} }, { op: 'copy', from: true, path: '/data' }]) {
        await api.patch(`${configMaps(api)}/a`, [operation], { type: json });
      }
    },
    'applies add, replace, and remove operations of a JSON patch': async (api) => {
      const path = await makeConfigMap(api);
      await api.patch(
        path,
        [
          { op: 'add', path: '/data/c', value: '3' },
          { op: 'replace', path: '/data/a', value: '9' },
          { op: 'remove', path: '/data/b' },
          { op: 'add', path: '/metadata/labels/example.com~1x', value: 'v' },
        ],
        { type: json },
      );
    },
    'applies test, move, and copy operations of a JSON patch': async (api) => {
      const path = await makeConfigMap(api);
      await api.patch(
        path,
        [
          { op: 'test', path: '/data/a', value: '1' },
          { op: 'move', from: '/data/a', path: '/data/moved' },
          { op: 'copy', from: '/data/b', path: '/data/copied' },
        ],
        { type: json, only: ['data'] },
      );
    },
    'rejects a JSON patch with a failed test': async (api) => {
      const path = await makeConfigMap(api);
      await api.patch(path, [{ op: 'test', path: '/data/a', value: '2' }], { type: json });
      await api.patch(path, [{ op: 'test', path: '/data/none', value: '2' }], { type: json });
      await api.patch(path, [{ op: 'test', path: '/data/none', value: null }], { type: json, only: ['data'] });
      await api.get(path, { only: ['data'] });
    },
    'rejects a JSON patch with an invalid path': async (api) => {
      const path = await makeConfigMap(api);
      await api.patch(path, [{ op: 'remove', path: '/data/none' }], { type: json });
      await api.patch(path, [{ op: 'replace', path: '/none/a', value: 1 }], { type: json });
      await api.patch(path, [{ op: 'add', path: '/none/a', value: 1 }], { type: json });
      await api.patch(path, [{ op: 'replace', path: '/data/none', value: '1' }], {
        type: json,
        only: ['message', 'data'],
      });
    },
    'rejects an invalid JSON patch': async (api) => {
      const path = await makeConfigMap(api);
      for (const patch of [
        '{',
        '{}',
        '[5]',
        '"x"',
        '[{"op":"what","path":"/data"}]',
        '[{"path":"/data"}]',
        '[{"op":"add"}]',
        '[]',
        'null',
      ]) {
        await api.patch(path, patch, { type: json, only: ['code', 'reason', 'message', 'details', 'data'] });
      }
    },
    'applies a JSON patch to list items by index': async (api) => {
      const path = await makeDeployment(api);
      await api.patch(
        path,
        [
          { op: 'add', path: '/spec/template/spec/containers/0/args/1', value: 'inserted' },
          { op: 'add', path: '/spec/template/spec/containers/0/args/-', value: 'last' },
          { op: 'remove', path: '/spec/template/spec/containers/0/env/0' },
          { op: 'replace', path: '/spec/template/spec/containers/-1/image', value: 'two:2' },
        ],
        { ...shown, type: json },
      );
      await api.patch(path, [{ op: 'remove', path: '/spec/template/spec/containers/7' }], { ...shown, type: json });
      await api.patch(path, [{ op: 'add', path: '/spec/template/spec/containers/x', value: {} }], {
        ...shown,
        type: json,
      });
    },
    'rejects a JSON patch with too many operations': async (api) => {
      const path = await makeConfigMap(api);
      const operations = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/data/a', value: '1' }));
      await api.patch(path, operations, { type: json });
    },
    'a merge patch merges maps, replaces lists, and removes fields with null': async (api) => {
      const path = await makeDeployment(api);
      await api.patch(path, podSpec({ volumes: [{ name: 'n', emptyDir: {} }], tolerations: null }), {
        ...shown,
        type: merge,
      });
      await api.patch(
        path,
        { spec: { paused: false, minReadySeconds: 3 } },
        { type: merge, only: ['spec.paused', 'spec.minReadySeconds'] },
      );
    },
    'an empty merge patch changes nothing': async (api) => {
      const path = await makeConfigMap(api);
      await api.patch(path, {}, { type: merge });
      await api.patch(path, { data: { none: null } }, { type: merge });
    },
    'rejects an invalid merge patch': async (api) => {
      const path = await makeConfigMap(api);
      for (const patch of ['{', '[]', '5', '"x"', 'null', '']) await api.patch(path, patch, { type: merge });
    },
    'rejects a merge patch that changes the uid or the name': async (api) => {
      const path = await makeConfigMap(api);
      await api.patch(path, { metadata: { uid: 'another' } }, { type: merge });
      await api.patch(path, { metadata: null }, { type: merge, only: ['code', 'reason', 'message'] });
    },
    'rejects a merge patch with a wrong type': async (api) => {
      const path = await makeConfigMap(api);
      const only = ['code', 'reason', 'details.causes.*.reason', 'details.causes.*.field'];
      await api.patch(path, { data: { a: 5 } }, { type: merge, only });
      await api.patch(path, { data: 'x' }, { type: merge, only });
    },
    'rejects a patch with a stale resourceVersion': async (api) => {
      const path = await makeConfigMap(api);
      await api.patch(path, { metadata: { resourceVersion: '1' }, data: { a: '5' } }, { type: merge });
      const { body } = await api.get(path, { quiet: true });
      await api.patch(
        path,
        { metadata: { resourceVersion: body.metadata.resourceVersion }, data: { a: '5' } },
        { type: merge, only: ['data'] },
      );
    },
    'a merge patch of a custom object removes fields with null': async (api) => {
      const path = await makeWidget(api);
      await api.patch(path, { spec: { size: 2, colour: null, unknown: 1 } }, { type: merge });
      await api.patch(path, [{ op: 'add', path: '/spec/colour', value: 'blue' }], {
        type: json,
        only: ['spec', 'metadata.generation'],
      });
      await api.patch(path, { spec: { size: 0 } }, { type: merge });
    },
    'a status patch of a custom object changes only the status': async (api) => {
      const path = await makeWidget(api);
      await api.patch(
        `${path}/status`,
        { spec: { size: 9 }, status: { size: 4 }, metadata: { labels: { a: 'b' } } },
        { type: merge },
      );
      await api.patch(
        path,
        { status: { size: 5 }, spec: { size: 3 } },
        { type: merge, only: ['spec', 'status', 'metadata.generation'] },
      );
    },
    'patches the scale of a custom object': async (api) => {
      const path = await makeWidget(api);
      await api.patch(`${path}/status`, { status: { size: 4, selector: 'app=w' } }, { quiet: true });
      await api.get(`${path}/scale`);
      await api.patch(`${path}/scale`, { spec: { replicas: 7 } }, { type: merge, only: ['kind', 'spec', 'status'] });
      await api.get(path, { only: ['spec', 'metadata.generation'] });
    },
    'a strategic merge patch merges lists by their keys': async (api) => {
      const path = await makeDeployment(api);
      await api.patch(
        path,
        podSpec({
          containers: [
            { name: 'two', image: 'two:2' },
            { name: 'three', image: 'three:1' },
          ],
        }),
        shown,
      );
      await api.patch(
        path,
        podSpec({
          containers: [
            {
              name: 'one',
              env: [
                { name: 'C', value: '3' },
                { name: 'A', value: '9' },
              ],
            },
          ],
        }),
        shown,
      );
      await api.patch(
        path,
        podSpec({ containers: [{ name: 'one', ports: [{ containerPort: 80, name: 'web' }] }] }),
        shown,
      );
    },
    'a strategic merge patch replaces lists without a key': async (api) => {
      const path = await makeDeployment(api);
      await api.patch(
        path,
        podSpec({ containers: [{ name: 'one', args: ['z'] }], tolerations: [{ key: 'other', operator: 'Exists' }] }),
        shown,
      );
    },
    'deletes a list item with $patch': async (api) => {
      const path = await makeDeployment(api);
      await api.patch(path, podSpec({ containers: [{ name: 'two', $patch: 'delete' }] }), shown);
      await api.patch(path, podSpec({ containers: [{ name: 'none', $patch: 'delete' }] }), shown);
      await api.patch(path, podSpec({ containers: [{ name: 'one', env: [{ name: 'A', $patch: 'delete' }] }] }), shown);
    },
    'replaces a list with $patch': async (api) => {
      const path = await makeDeployment(api);
      await api.patch(path, podSpec({ containers: [{ $patch: 'replace' }, { name: 'new', image: 'new:1' }] }), shown);
    },
    'replaces, deletes, and merges a map with $patch': async (api) => {
      const path = await makeConfigMap(api);
      await api.patch(path, { data: { $patch: 'merge', c: '3' } }, { type: strategic, only: ['data', 'message'] });
      await api.patch(path, { data: { $patch: 'replace', d: '4' } }, { type: strategic, only: ['data', 'message'] });
      await api.patch(path, { data: { $patch: 'delete' } }, { type: strategic });
      await api.patch(path, { data: { $patch: 'what' } }, { type: strategic });
    },
    'deletes values with $deleteFromPrimitiveList': async (api) => {
      const path = await makeDeployment(api);
      await api.patch(
        path,
        { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] } },
        { type: strategic, only: ['metadata.finalizers', 'message'] },
      );
      await api.patch(
        path,
        { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/none'] } },
        { type: strategic, only: ['metadata.finalizers', 'message'] },
      );
      await api.patch(
        path,
        { metadata: { '$deleteFromPrimitiveList/finalizers': 'x' } },
        { type: strategic, only: ['metadata.finalizers', 'message'] },
      );
      await api.patch(
        path,
        { metadata: { finalizers: null } },
        { type: strategic, only: ['metadata.finalizers', 'message'] },
      );
    },
    'adds values to a primitive list with a merge strategy': async (api) => {
      const path = await makeDeployment(api);
      await api.patch(
        path,
        { metadata: { finalizers: ['example.com/c', 'example.com/a'] } },
        { type: strategic, only: ['metadata.finalizers', 'message'] },
      );
      await api.patch(
        path,
        { metadata: { '$setElementOrder/finalizers': ['example.com/c', 'example.com/b', 'example.com/a'] } },
        { type: strategic, only: ['metadata.finalizers', 'message'] },
      );
      await api.patch(path, { metadata: { finalizers: null } }, { quiet: true });
    },
    'orders items with $setElementOrder': async (api) => {
      const path = await makeDeployment(api);
      await api.patch(
        path,
        podSpec({
          '$setElementOrder/containers': [{ name: 'two' }, { name: 'one' }],
          containers: [{ name: 'two', image: 'two:2' }],
        }),
        shown,
      );
      await api.patch(
        path,
        podSpec({
          '$setElementOrder/containers': [{ name: 'one' }, { name: 'new' }, { name: 'two' }],
          containers: [{ name: 'new', image: 'new:1' }],
        }),
        shown,
      );
      await api.patch(
        path,
        podSpec({ '$setElementOrder/containers': [{ name: 'two' }, { name: 'new' }, { name: 'one' }] }),
        shown,
      );
    },
    'rejects $setElementOrder without a patched item': async (api) => {
      const path = await makeDeployment(api);
      await api.patch(
        path,
        podSpec({ '$setElementOrder/containers': [{ name: 'one' }], containers: [{ name: 'two', image: 'two:2' }] }),
        shown,
      );
      await api.patch(path, podSpec({ '$setElementOrder/containers': 'x' }), shown);
    },
    'keeps only the listed fields of a union with $retainKeys': async (api) => {
      const path = await makeDeployment(api);
      await api.patch(path, { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }, shown);
      await api.patch(
        path,
        podSpec({ volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'c' } }] }),
        shown,
      );
      await api.patch(path, { spec: { strategy: { $retainKeys: ['rollingUpdate'], type: 'RollingUpdate' } } }, shown);
      await api.patch(path, { spec: { strategy: { $retainKeys: 'x', type: 'Recreate' } } }, shown);
    },
    'rejects a list item without its merge key': async (api) => {
      const path = await makeDeployment(api);
      await api.patch(path, podSpec({ containers: [{ image: 'x' }] }), shown);
      await api.patch(path, podSpec({ containers: [{ name: 'one', env: [{ value: 'x' }] }] }), shown);
    },
    'rejects an invalid strategic merge patch': async (api) => {
      const path = await makeConfigMap(api);
      for (const patch of ['{', '[]', '5', '"x"', '']) await api.patch(path, patch, { type: strategic });
    },
    'a strategic merge patch removes fields with null': async (api) => {
      const path = await makeConfigMap(api);
      await api.patch(path, { data: { a: null }, metadata: { labels: null } }, { type: strategic });
      await api.patch(path, { data: null }, { type: strategic });
    },
    'rejects a strategic merge patch with a wrong type': async (api) => {
      const path = await makeDeployment(api);
      const only = ['code', 'reason', 'details.causes.*.reason', 'details.causes.*.field'];
      await api.patch(path, { spec: { replicas: 'many' } }, { type: strategic, only });
      await api.patch(path, { spec: 'x' }, { type: strategic, only });
    },
    'a patch of the status does not change the spec': async (api) => {
      const path = await makeDeployment(api);
      await api.patch(
        `${path}/status`,
        { spec: { replicas: 5 }, status: { observedGeneration: 9 } },
        { type: strategic, only: ['spec.replicas', 'metadata.generation'] },
      );
    },
    'merges Service ports by port': async (api) => {
      const services = `/api/v1/namespaces/${api.namespace}/services`;
      const ports = [
        { name: 'a', port: 80 },
        { name: 'b', port: 81 },
      ];
      await api.post(
        services,
        { metadata: { name: 's' }, spec: { clusterIP: 'None', selector: { app: 'x' }, ports } },
        { quiet: true },
      );
      const only = ['spec.ports', 'message'];
      await api.patch(
        `${services}/s`,
        { spec: { ports: [{ port: 81, targetPort: 8081 }] } },
        { type: strategic, only },
      );
      await api.patch(
        `${services}/s`,
        {
          spec: {
            ports: [
              { port: 82, name: 'c' },
              { port: 80, $patch: 'delete' },
            ],
          },
        },
        { type: strategic, only },
      );
    },
    'keeps nulls in lists of a merge patch': async (api) => {
      const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
      const openAPIV3Schema = { type: 'object', properties: { spec: free } };
      await install(api, widgets(api, { versions: [version('v1', { schema: { openAPIV3Schema } })] }));
      const widget = {
        apiVersion: `${api.group}/v1`,
        kind: 'Widget',
        metadata: { name: 'w' },
        spec: { map: { a: 1 } },
      };
      await api.post(widgetsOf(api), widget, { quiet: true });
      const list = [1, null, { a: null, b: [{ c: null }] }];
      for (const spec of [{ list }, { list }, { map: list }, { map: { deeper: list } }, { map: list }]) {
        await api.patch(`${widgetsOf(api)}/w`, { spec }, { type: merge, only: ['spec'] });
      }
    },
    'removes the spec of a custom object with a patch': async (api) => {
      const path = await makeWidget(api);
      const options = { only: ['spec', 'metadata.generation', 'message'] };
      await api.patch(path, [{ op: 'replace', path: '/spec' }], { type: json, ...options });
      await api.patch(path, [{ op: 'add', path: '/spec', value: null }], { type: json, ...options });
      await api.patch(path, { spec: { size: 2 } }, { type: merge, ...options });
      await api.patch(path, { spec: null }, { type: merge, ...options });
    },
    'rejects an invalid $setElementOrder': async (api) => {
      const path = await makeDeployment(api);
      await api.patch(path, podSpec({ '$setElementOrder/containers': null, containers: [] }), shown);
    },
    'returns a table for a patch on request': async (api) => {
      const path = await makeConfigMap(api);
      const accept = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
      await api.patch(path, { data: { a: '2' } }, { type: merge, headers: { accept } });
    },
  },
);
