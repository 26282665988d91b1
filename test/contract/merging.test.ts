import { contract, type ContractCase } from './contract.js';
import { container, podSpec } from './pod-bodies.js';

const strategic = 'application/strategic-merge-patch+json';
const json = 'application/json-patch+json';
const labels = { a: 'b' };
const env = (...names: readonly string[]): readonly object[] => names.map((name) => ({ name, value: name }));
const port = (containerPort: number, more: object = {}): object => ({ containerPort, ...more });
const deployment = {
  metadata: { name: 'a', labels: { x: '1', y: '2' }, finalizers: ['example.com/a', 'example.com/b'] },
  spec: {
    replicas: 0,
    selector: { matchLabels: labels },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2 } },
    template: {
      metadata: { labels },
      spec: podSpec({
        containers: [
          container({ env: env('A', 'B', 'C'), ports: [port(80), port(80, { protocol: 'UDP' })], args: ['x', 'y'] }),
          container({ name: 'd' }),
        ],
        volumes: [
          { name: 'v', emptyDir: {} },
          { name: 'w', configMap: { name: 'c' } },
        ],
        imagePullSecrets: [{ name: 's' }, { name: 't' }],
        tolerations: [{ key: 'a', operator: 'Exists' }],
        nodeSelector: { n: 'o' },
      }),
    },
  },
};
const inPod = (spec: object): object => ({ spec: { template: { spec } } });
const inContainer = (own: object): object => inPod({ containers: [{ name: 'c', ...own }] });
const at = '/spec/template/spec';

/** Patches of the Deployment: the media type and the patch. */
const patches: Readonly<Record<string, readonly [type: string, patch: object]>> = {
  'strategic: deletes a container by name': [strategic, inPod({ containers: [{ name: 'd', $patch: 'delete' }] })],
  'strategic: ignores the deletion of an absent container': [
    strategic,
    inPod({ containers: [{ name: 'e', $patch: 'delete' }] }),
  ],
  'strategic: replaces all containers': [
    strategic,
    inPod({ containers: [{ $patch: 'replace' }, container({ name: 'e' })] }),
  ],
  'strategic: rejects an item with $patch: replace that removes all containers': [
    strategic,
    inPod({ containers: [{ name: 'c', image: 'i', $patch: 'replace' }] }),
  ],
  'strategic: replaces a map': [strategic, inPod({ nodeSelector: { $patch: 'replace', p: 'q' } })],
  'strategic: deletes a map': [strategic, inPod({ nodeSelector: { $patch: 'delete' } })],
  'strategic: orders containers': [strategic, inPod({ '$setElementOrder/containers': [{ name: 'd' }, { name: 'c' }] })],
  'strategic: orders new and existing containers': [
    strategic,
    inPod({
      '$setElementOrder/containers': [{ name: 'e' }, { name: 'd' }, { name: 'c' }],
      containers: [container({ name: 'e' })],
    }),
  ],
  'strategic: rejects an order that omits a container of the patch': [
    strategic,
    inPod({ '$setElementOrder/containers': [{ name: 'd' }], containers: [container({ name: 'e' })] }),
  ],
  'strategic: orders variables': [
    strategic,
    inContainer({ '$setElementOrder/env': [{ name: 'C' }, { name: 'A' }, { name: 'B' }] }),
  ],
  'strategic: adds, changes and deletes variables': [
    strategic,
    inContainer({
      env: [
        { name: 'A', value: '1' },
        { name: 'B', $patch: 'delete' },
        { name: 'D', value: '4' },
      ],
    }),
  ],
  'strategic: merges ports by their number only': [
    strategic,
    inContainer({ ports: [{ containerPort: 80, name: 'n' }] }),
  ],
  'strategic: replaces a list without a merge key': [strategic, inContainer({ args: ['z'] })],
  'strategic: replaces tolerations': [strategic, inPod({ tolerations: [{ key: 'b', operator: 'Exists' }] })],
  'strategic: keeps only the keys in $retainKeys of a union': [
    strategic,
    { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
  ],
  'strategic: rejects a field that is not in $retainKeys': [
    strategic,
    { spec: { strategy: { $retainKeys: ['type'], rollingUpdate: { maxSurge: 1 } } } },
  ],
  'strategic: keeps only the keys in $retainKeys of a volume': [
    strategic,
    inPod({ volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'c' } }] }),
  ],
  'strategic: deletes values from a list of primitives': [
    strategic,
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] } },
  ],
  'strategic: merges a list of primitives': [strategic, { metadata: { finalizers: ['example.com/c'] } }],
  'strategic: orders a list of primitives': [
    strategic,
    { metadata: { '$setElementOrder/finalizers': ['example.com/b', 'example.com/a'] } },
  ],
  'strategic: rejects an unknown directive': [strategic, inPod({ containers: [{ name: 'c', $patch: 'odd' }] })],
  'strategic: rejects an item without its merge key': [strategic, inPod({ containers: [{ image: 'i' }] })],
  'strategic: rejects a list instead of an object': [strategic, { spec: { template: [] } }],
  'strategic: deletes a field with null': [strategic, inPod({ nodeSelector: null, tolerations: null })],
  'json: moves an item': [json, [{ op: 'move', from: `${at}/containers/1`, path: `${at}/containers/0` }]],
  'json: rejects a copy of a volume with the same name': [
    json,
    [{ op: 'copy', from: `${at}/volumes/0`, path: `${at}/volumes/-` }],
  ],
  'json: rejects a failed test': [json, [{ op: 'test', path: '/spec/replicas', value: 1 }]],
  'json: rejects the removal of an absent field': [json, [{ op: 'remove', path: '/spec/paused' }]],
  'json: replaces an absent field': [json, [{ op: 'replace', path: '/spec/paused', value: true }]],
  'json: rejects an index that is out of range': [json, [{ op: 'add', path: `${at}/containers/5`, value: {} }]],
  'json: tests and replaces a label with a slash in its key': [
    json,
    [
      { op: 'add', path: '/metadata/labels/e.com~1k', value: '1' },
      { op: 'test', path: '/metadata/labels/e.com~1k', value: '1' },
      { op: 'replace', path: '/metadata/labels/e.com~1k', value: '2' },
    ],
  ],
  'json: rejects an unknown operation': [json, [{ op: 'merge', path: '/spec/replicas', value: 1 }]],
};

const cases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(patches).map(([title, [type, patch]]): readonly [string, ContractCase] => [
    title,
    async (api) => {
      const path = `/apis/apps/v1/namespaces/${api.namespace}/deployments`;
      await api.post(path, deployment, { quiet: true });
      await api.patch(`${path}/a?dryRun=All`, patch, {
        type,
        only: [
          'message',
          'reason',
          'code',
          'details',
          'metadata.labels',
          'metadata.finalizers',
          'metadata.generation',
          'spec',
        ],
      });
      await api.patch(`${path}/a`, { metadata: { finalizers: null } }, { quiet: true });
    },
  ]),
);

contract('merging', {}, cases);
