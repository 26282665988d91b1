import { contract } from './contract.js';
import type { ContractApi, RequestOptions } from './contract-api.js';
import { install, widgets, widgetsOf } from './custom-kinds.js';
import { pod } from './pod-bodies.js';

const yaml = 'application/yaml';
const apply = 'application/apply-patch+yaml';
const configMaps = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/configmaps`;
const accepting = (accept: string, options: RequestOptions = {}): RequestOptions => ({
  ...options,
  headers: { accept },
});
const inYaml = accepting(yaml);
const only = ['code', 'reason', 'message', 'data', 'metadata.name', 'metadata.labels'];
const head = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;
const modes = ['Strict', 'Warn', 'Ignore'];

/** Returns the data of a ConfigMap with one key for each text. */
function dataOf(texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(texts.map((text, at) => [`k${at}`, text]));
}

/** Creates a ConfigMap, and returns it in YAML without managed fields, which contain the data again. */
async function shown(api: ContractApi, data: object, metadata: object = {}): Promise<void> {
  const body = { metadata: { name: 'a', ...metadata }, data };
  await api.post(`${configMaps(api)}?dryRun=All`, body, inYaml);
}

async function makeWidget(api: ContractApi, spec: object = { size: 1 }): Promise<string> {
  await install(api, widgets(api));
  const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec };
  await api.post(widgetsOf(api), widget, { quiet: true });
  return `${widgetsOf(api)}/w`;
}

contract(
  'yaml',
  {},
  {
    'returns an object as YAML': async (api) => {
      await shown(api, { k: 'v', other: 'a b' }, { labels: { app: 'x', 'example.com/tier': 'web' } });
    },
    'returns texts that look like other values as quoted YAML': async (api) => {
      await shown(
        api,
        dataOf([
          '',
          '~',
          'null',
          'true',
          'Yes',
          'yEs',
          'on',
          'n',
          '1',
          '-1',
          '+1',
          '0x1F',
          '0o17',
          '017',
          '08',
          '1_000',
          '1.5',
          '.5',
          '1e3',
          '1.',
          '.inf',
          '-.INF',
          '.nan',
          '0b11',
          '12:30',
          '190:20:30.5',
          '2024-01-31',
          '2024-1-1',
          '2024-13-01',
          '2024-01-01T10:00:00Z',
          '2024-01-01 10:00:00',
          '123456789012345678901234567890',
          '<<',
          '=',
          '1.2.3',
          '0x',
          '-',
          '--',
          '+',
          '.',
        ]),
      );
    },
    'returns texts with indicators as quoted YAML': async (api) => {
      await shown(
        api,
        dataOf([
          '#a',
          'a#b',
          'a #b',
          'a:',
          'a:b',
          'a: b',
          ':a',
          ': a',
          '- a',
          '-a',
          '?a',
          '? a',
          '[a',
          'a[b]',
          '{a}',
          'a{b',
          '&a',
          '*a',
          '!a',
          '|a',
          '>a',
          "'a",
          "it's",
          '"a"',
          'a "b"',
          '%a',
          '@a',
          '`a',
          ',a',
          'a,b',
          '---',
          '--- a',
          '...',
          ' a',
          'a ',
          'a\\b',
          '\\',
        ]),
      );
    },
    'returns texts with special characters as double-quoted YAML': async (api) => {
      await shown(
        api,
        dataOf([
          'a\tb',
          'a\rb',
          '\u0000',
          '\u0007',
          '\u001b',
          '\u00a0',
          'größer',
          '語',
          '😀',
          '\ue000',
          'a"\tb',
          'a\\\tb',
        ]),
      );
    },
    'returns texts of several lines as YAML blocks': async (api) => {
      await shown(
        api,
        dataOf([
          'a\nb',
          'a\nb\n',
          'a\n\nb\n\n',
          '\n',
          '\n\n',
          '\na',
          ' a\nb',
          'a\n  b\n',
          'a \nb',
          'a\nb ',
          'a\tb\nc',
          'a: b\n# c\n',
          '\n a',
          "it's\n",
        ]),
      );
    },
    'breaks long lines of YAML': async (api) => {
      const words = 'word '.repeat(30).trim();
      await shown(
        api,
        dataOf([
          words,
          `${words}: x`,
          `# ${words}`,
          `"${words}"`,
          `${words}\t`,
          'x'.repeat(200),
          `a  ${words}  b`,
          `${'ä'.repeat(79)} b c`,
          `#${'  x'.repeat(40)}`,
          `${'x'.repeat(90)} y`,
        ]),
      );
    },
    'sorts the keys of YAML': async (api) => {
      const keys = [
        'b',
        'a',
        'B',
        'A',
        'a10',
        'a9',
        'a1',
        '10',
        '9',
        '1',
        '-x',
        '.x',
        'a.b',
        'a-b',
        'a_b',
        'ab',
        'a2',
        'v1',
        'v10',
        'v2',
      ];
      await shown(api, Object.fromEntries(keys.map((key) => [key, 'x'])));
    },
    'returns nested lists, maps and numbers as YAML': async (api) => {
      const spec = {
        containers: [
          {
            name: 'a',
            image: 'i',
            command: ['sh', '-c', 'echo "a: b"\nexit 1\n'],
            args: [],
            ports: [{ containerPort: 80 }],
          },
          { name: 'b', image: 'i', resources: { limits: { cpu: '100m', memory: '1Gi' } } },
        ],
        volumes: [{ name: 'v', emptyDir: {} }],
        tolerations: [{ operator: 'Exists' }],
      };
      await api.post(`/api/v1/namespaces/${api.namespace}/pods?dryRun=All`, pod('a', spec), inYaml);
    },
    'returns a list as YAML': async (api) => {
      for (const name of ['a', 'b']) {
        await api.post(
          configMaps(api),
          { metadata: { name, labels: { app: 'x' } }, data: { k: name } },
          { quiet: true },
        );
      }
      await api.get(`${configMaps(api)}?labelSelector=app`, inYaml);
      await api.get(`${configMaps(api)}?labelSelector=none`, inYaml);
    },
    'returns custom objects as YAML': async (api) => {
      await api.get(await makeWidget(api), inYaml);
      await api.get(widgetsOf(api), inYaml);
    },
    'returns fractions as YAML': async (api) => {
      const version = {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      };
      await install(api, widgets(api, { versions: [version] }));
      const values = [
        0.5, 1.25, 123456.5, 1234567.5, 0.0001, 0.00001, 1e21, 1e-7, -0.5, 100000000000, 9007199254740991,
      ];
      const widget = {
        apiVersion: `${api.group}/v1`,
        kind: 'Widget',
        metadata: { name: 'w' },
        values,
        empty: {},
        none: null,
        lists: [[1, [2]], [], [{ a: 1, b: [] }]],
      };
      await api.post(`${widgetsOf(api)}?dryRun=All`, widget, inYaml);
    },
    'returns errors as YAML': async (api) => {
      await api.get(`${configMaps(api)}/none`, inYaml);
      await api.post(configMaps(api), { metadata: { name: 'Invalid Name' } }, inYaml);
      await api.get(`/api/v1/namespaces/${api.namespace}/nothings`, inYaml);
      await api.get(configMaps(api), { headers: { accept: yaml, 'impersonate-user': 'nobody' } });
    },
    'returns the result of a deletion as YAML': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      await api.delete(`${configMaps(api)}/a`, undefined, inYaml);
    },
    'returns metadata and tables as YAML': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' }, data: { k: 'v' } }, { quiet: true });
      const transform = (kind: string): string => `${yaml};as=${kind};v=v1;g=meta.k8s.io`;
      await api.get(`${configMaps(api)}/a`, accepting(transform('PartialObjectMetadata')));
      await api.get(
        `${configMaps(api)}?fieldSelector=metadata.name%3Da`,
        accepting(transform('PartialObjectMetadataList')),
      );
      const { body } = await api.get(`${configMaps(api)}/a`, { ...accepting(transform('Table')), quiet: true });
      api.received('the type of the table', {
        head: String(body).split('\n')[0],
        isTable: String(body).includes('kind: Table'),
      });
    },
    'returns a Scale as YAML': async (api) => {
      const selector = { matchLabels: { app: 'a' } };
      const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
      const path = `/apis/apps/v1/namespaces/${api.namespace}/deployments`;
      await api.post(path, { metadata: { name: 'a' }, spec: { replicas: 0, selector, template } }, { quiet: true });
      await api.get(`${path}/a/scale`, inYaml);
    },
    'returns discovery documents as YAML': async (api) => {
      await api.get('/apis/policy', inYaml);
      await api.get('/apis/policy/v1', inYaml);
      await api.get('/version', inYaml);
    },
    'prefers the first of the accepted formats': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      for (const accept of [
        `${yaml},application/json`,
        `application/json,${yaml}`,
        `${yaml};q=0.5,*/*`,
        `${yaml};stream=watch,application/json`,
      ])
        await api.get(`${configMaps(api)}/a`, { ...accepting(accept), only: ['kind'], quiet: false });
    },
    'reads bodies that start with a brace as YAML': async (api) => {
      const options = { type: yaml, only };
      await api.post(
        configMaps(api),
        '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: "1"}}',
        options,
      );
      await api.post(configMaps(api), '  {metadata: {name: b}, data: {k: v, on: x}}', options);
      await api.post(configMaps(api), "{'metadata': {'name': 'c'}, # comment\n data: {}}", options);
      await api.post(configMaps(api), '{"metadata": {"name": "d",},}', options);
      await api.post(configMaps(api), '{"metadata":{"name":"e"},"data":{"k":"v"}}', options);
    },
    'applies bodies that start with a brace as YAML': async (api) => {
      const body = '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: "1"}}';
      await api.patch(`${configMaps(api)}/a?fieldManager=m`, body, { type: apply, only });
      const json = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"l":"2"}}';
      await api.patch(`${configMaps(api)}/a?fieldManager=n`, json, { type: apply, only });
    },
    'rejects bodies with a brace that are neither JSON nor YAML': async (api) => {
      const options = { only: ['code', 'reason'] };
      for (const body of ['{', '{a: b']) await api.post(configMaps(api), body, { type: yaml, ...options });
      await api.patch(`${configMaps(api)}/a?fieldManager=m`, '{a: b', { type: apply, ...options });
    },
    'reports repeated keys of YAML by field validation': async (api) => {
      for (const mode of modes) {
        const body = `${head(mode.toLowerCase())}data:\n  k: "1"\n  k: "2"\n`;
        await api.post(`${configMaps(api)}?fieldValidation=${mode}`, body, { type: yaml, only });
      }
      await api.post(configMaps(api), `${head('default')}data:\n  k: "1"\n  k: "2"\n`, { type: yaml, only });
    },
    'reports all repeated keys of YAML': async (api) => {
      const body = `${head('a')}data:\n  k: "1"\n  k: "2"\n  k: "3"\n  l: x\n  l: |\n    y\nkind: ConfigMap\n`;
      for (const mode of modes)
        await api.post(`${configMaps(api)}?dryRun=All&fieldValidation=${mode}`, body, { type: yaml, only });
    },
    'reports repeated keys and unknown fields of YAML together': async (api) => {
      const body = `${head('a')}nothing: 1\ndata:\n  k: "1"\n  k: "2"\n`;
      for (const mode of modes)
        await api.post(`${configMaps(api)}?dryRun=All&fieldValidation=${mode}`, body, { type: yaml, only });
    },
    'reports repeated keys of YAML with a brace': async (api) => {
      for (const body of [
        '{metadata: {name: a}, data: {k: "1", k: "2"}}',
        '{"metadata":{"name":"a"},"data":{"k":"1","k":"2"}}',
      ]) {
        for (const mode of modes)
          await api.post(`${configMaps(api)}?dryRun=All&fieldValidation=${mode}`, body, { type: yaml, only });
      }
    },
    'reports repeated keys of a custom object in YAML': async (api) => {
      await makeWidget(api);
      const body = `apiVersion: ${api.group}/v1\nkind: Widget\nmetadata:\n  name: x\nspec:\n  size: 1\n  size: 2\n`;
      for (const mode of modes)
        await api.post(`${widgetsOf(api)}?dryRun=All&fieldValidation=${mode}`, body, {
          type: yaml,
          only: ['code', 'reason', 'message', 'spec'],
        });
    },
    'reports repeated keys of an applied object': async (api) => {
      const body = `${head('a')}data:\n  k: "1"\n  k: "2"\n`;
      for (const mode of [...modes, '']) {
        const path = `${configMaps(api)}/a?fieldManager=m&dryRun=All&fieldValidation=${mode}`;
        await api.patch(path, body, { type: apply, only });
        await api.patch(
          path,
          '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"1","k":"2"}}',
          { type: apply, only },
        );
      }
    },
    'reports unknown fields of an applied object': async (api) => {
      for (const mode of modes) {
        const path = `${configMaps(api)}/a?fieldManager=m&dryRun=All&fieldValidation=${mode}`;
        await api.patch(path, `${head('a')}nothing: 1\n`, { type: apply, only: ['code', 'reason', 'message'] });
      }
    },
    'applies the first of several documents': async (api) => {
      const body = `${head('a')}data: {k: "1"}\n---\n${head('b')}data: {k: "2"}\n`;
      await api.patch(`${configMaps(api)}/a?fieldManager=m`, body, { type: apply, only });
      await api.put(`${configMaps(api)}/a`, `---\n${body}`, { type: yaml, only });
    },
    'reads anchors, aliases and merge keys': async (api) => {
      const body = `${head('a')}data:\n  a: &text x\n  b: *text\n`;
      await api.post(configMaps(api), body, { type: yaml, only });
      const merged = `x: &labels {app: a}\n${head('b')}  labels:\n    <<: *labels\n    tier: b\n`;
      await api.post(`${configMaps(api)}?fieldValidation=Ignore`, merged, { type: yaml, only });
    },
    'deletes with options in YAML': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      await api.delete(`${configMaps(api)}/a`, 'kind: DeleteOptions\napiVersion: v1\npreconditions:\n  uid: other\n', {
        type: yaml,
        only,
      });
      await api.delete(`${configMaps(api)}/a`, '{dryRun: [All]}', { type: yaml, only: ['kind', 'status'] });
    },
    'reads a body of comments and an empty body': async (api) => {
      for (const body of ['# nothing\n', '---\n', 'null\n', '[]\n', 'text\n'])
        await api.post(configMaps(api), body, { type: yaml, only: ['code', 'reason'] });
    },
    'reads a PATCH in JSON, and rejects a PATCH in YAML': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      await api.patch(`${configMaps(api)}/a`, 'data: {k: v}\n', { type: yaml, only: ['code', 'reason', 'message'] });
      await api.patch(`${configMaps(api)}/a`, 'data: {k: v}\n', { only: ['code', 'reason'] });
    },
  },
);
