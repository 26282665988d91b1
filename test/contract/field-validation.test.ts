import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { install, widgets, widgetsOf } from './custom-kinds.js';

const configMaps = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/configmaps`;
const deployments = (api: ContractApi): string => `/apis/apps/v1/namespaces/${api.namespace}/deployments`;
const only = ['code', 'reason', 'message', 'data', 'metadata.name', 'spec'];
const modes = ['Strict', 'Warn', 'Ignore', ''];
const named = (name: string, more: object = {}): object => ({ metadata: { name }, ...more });
const twice = (name: string): string => `{"metadata":{"name":"${name}"},"data":{"k":"1","k":"2"}}`;

async function make(api: ContractApi): Promise<string> {
  await api.post(configMaps(api), named('a', { data: { k: 'v' } }), { quiet: true });
  return `${configMaps(api)}/a`;
}
const json = 'application/json-patch+json';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';
const apply = 'application/apply-patch+yaml';

async function makeWidget(api: ContractApi): Promise<string> {
  await install(api, widgets(api));
  await api.post(widgetsOf(api), widget(api, 'w', { size: 1 }), { quiet: true });
  return `${widgetsOf(api)}/w`;
}
const widget = (api: ContractApi, name: string, spec: object, more: object = {}): object => ({
  apiVersion: `${api.group}/v1`,
  kind: 'Widget',
  ...named(name, { spec, ...more }),
});

contract(
  'field-validation',
  {},
  {
    'reports unknown fields of a new object': async (api) => {
      for (const mode of modes) {
        await api.post(`${configMaps(api)}?fieldValidation=${mode}`, named(`a${mode.toLowerCase()}`, { nothing: 1 }), {
          only,
        });
      }
      await api.post(configMaps(api), named('b', { nothing: 1 }), { only });
    },
    'reports nested unknown fields of a new object': async (api) => {
      const spec = {
        replicas: 0,
        nothing: 1,
        selector: { matchLabels: { app: 'x' } },
        template: {
          metadata: { labels: { app: 'x' }, what: 2 },
          spec: {
            containers: [
              { name: 'a', image: 'a' },
              { name: 'b', image: 'b', port: 80, env: [{ name: 'X', val: 'y' }] },
            ],
          },
        },
      };
      const body = { metadata: { name: 'web', lables: {} }, spec };
      await api.post(`${deployments(api)}?fieldValidation=Strict`, body, { only });
      await api.post(`${deployments(api)}?fieldValidation=Warn`, body, { only: ['code', 'message', 'metadata.name'] });
    },
    'reports duplicate fields of a new object': async (api) => {
      for (const mode of modes)
        await api.post(`${configMaps(api)}?fieldValidation=${mode}`, twice(`a${mode.toLowerCase()}`), { only });
    },
    'reports duplicate fields in YAML': async (api) => {
      const yaml = 'metadata:\n  name: a\ndata:\n  k: "1"\n  k: "2"\n';
      await api.post(`${configMaps(api)}?fieldValidation=Strict`, yaml, {
        only: ['code', 'reason'],
        type: 'application/yaml',
      });
    },
    'matches field names case-sensitively': async (api) => {
      await api.post(
        `${configMaps(api)}?fieldValidation=Strict`,
        { Metadata: {}, ...named('a', { Data: { k: 'v' } }) },
        { only },
      );
      await api.post(`${configMaps(api)}?fieldValidation=Warn`, { ...named('a', { Data: { k: 'v' } }) }, { only });
    },
    'reports unknown and duplicate fields of an update': async (api) => {
      const path = await make(api);
      for (const mode of modes) {
        await api.put(`${path}?fieldValidation=${mode}`, named('a', { nothing: 1 }), { only });
        await api.put(`${path}?fieldValidation=${mode}`, twice('a'), { only });
      }
    },
    'reports unknown fields of a merge patch': async (api) => {
      const path = await make(api);
      await api.patch(
        `${path}?fieldValidation=Strict`,
        { nothing: 1 },
        { type: merge, only: ['code', 'reason', 'details.causes.*.field'] },
      );
      for (const mode of ['Warn', 'Ignore', ''])
        await api.patch(`${path}?fieldValidation=${mode}`, { nothing: 1 }, { type: merge, only });
      await api.patch(path, { nothing: 1 }, { type: merge, only });
    },
    'reports duplicate fields of a merge patch': async (api) => {
      const path = await make(api);
      const patch = '{"data":{"k":"1","k":"2"}}';
      await api.patch(`${path}?fieldValidation=Strict`, patch, {
        type: merge,
        only: ['code', 'reason', 'details.causes.*.field'],
      });
      for (const mode of ['Warn', 'Ignore'])
        await api.patch(`${path}?fieldValidation=${mode}`, patch, { type: merge, only });
    },
    'reports unknown fields of a JSON patch': async (api) => {
      const path = await make(api);
      const patch = [{ op: 'add', path: '/nothing', value: 1 }];
      await api.patch(`${path}?fieldValidation=Strict`, patch, {
        type: json,
        only: ['code', 'reason', 'details.causes.*.field'],
      });
      for (const mode of ['Warn', 'Ignore'])
        await api.patch(`${path}?fieldValidation=${mode}`, patch, { type: json, only });
    },
    'reports unknown and duplicate fields of a JSON patch operation': async (api) => {
      const path = await make(api);
      const patch = '[{"op":"add","path":"/data/x","value":"1","value":"2","foo":1}]';
      await api.patch(`${path}?fieldValidation=Strict`, patch, {
        type: json,
        only: ['code', 'reason', 'details.causes.*.field'],
      });
      for (const mode of ['Warn', 'Ignore'])
        await api.patch(`${path}?fieldValidation=${mode}`, patch, { type: json, only });
    },
    'reports unknown fields of a strategic merge patch': async (api) => {
      const path = await make(api);
      await api.patch(
        `${path}?fieldValidation=Strict`,
        { nothing: 1 },
        { type: strategic, only: ['code', 'reason', 'details.causes.*.field'] },
      );
      for (const mode of ['Warn', 'Ignore'])
        await api.patch(`${path}?fieldValidation=${mode}`, { nothing: 1 }, { type: strategic, only });
    },
    'reports duplicate fields of a strategic merge patch': async (api) => {
      const path = await make(api);
      const patch = '{"data":{"k":"1","k":"2"}}';
      await api.patch(`${path}?fieldValidation=Strict`, patch, {
        type: strategic,
        only: ['code', 'reason', 'details.causes.*.field'],
      });
      for (const mode of ['Warn', 'Ignore'])
        await api.patch(`${path}?fieldValidation=${mode}`, patch, { type: strategic, only });
    },
    'rejects unknown fields of an apply': async (api) => {
      const path = await make(api);
      const body = { apiVersion: 'v1', kind: 'ConfigMap', ...named('a', { nothing: 1 }) };
      for (const mode of ['Strict', 'Warn', 'Ignore']) {
        await api.patch(`${path}?fieldManager=x&fieldValidation=${mode}`, body, {
          type: apply,
          only: ['code', 'reason', 'message'],
        });
      }
    },
    'reports duplicate fields of an apply': async (api) => {
      const path = await make(api);
      const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  z: "1"\n  z: "2"\n';
      for (const mode of ['Strict', 'Ignore']) {
        await api.patch(`${path}?fieldManager=x&fieldValidation=${mode}`, body, {
          type: apply,
          only: ['code', 'reason', 'data'],
        });
      }
    },
    'reports unknown fields of a new custom object': async (api) => {
      await install(api, widgets(api));
      for (const mode of modes) {
        await api.post(
          `${widgetsOf(api)}?fieldValidation=${mode}`,
          widget(api, `w${mode.toLowerCase()}`, { size: 1, nothing: { x: 1 } }, { other: 1 }),
          { only },
        );
      }
    },
    'reports unknown metadata fields of a custom object': async (api) => {
      await install(api, widgets(api));
      const body = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w', lables: { a: 'b' } } };
      await api.post(`${widgetsOf(api)}?fieldValidation=Strict`, body, { only });
      await api.post(`${widgetsOf(api)}?fieldValidation=Warn`, body, { only });
    },
    'reports duplicate fields of a new custom object': async (api) => {
      await install(api, widgets(api));
      const body = `{"apiVersion":"${api.group}/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"size":1,"size":2}}`;
      await api.post(`${widgetsOf(api)}?fieldValidation=Strict`, body, { only });
      await api.post(`${widgetsOf(api)}?fieldValidation=Warn`, body, { only });
    },
    'reports unknown fields of a patch of a custom object': async (api) => {
      const path = await makeWidget(api);
      await api.patch(
        `${path}?fieldValidation=Strict`,
        { spec: { nothing: 1 } },
        { type: merge, only: ['code', 'reason', 'details.causes.*.field'] },
      );
      await api.patch(`${path}?fieldValidation=Warn`, { spec: { nothing: 1 } }, { type: merge, only });
      await api.patch(`${path}?fieldValidation=Ignore`, { spec: { nothing: 1 } }, { type: merge, only });
      await api.patch(`${path}?fieldValidation=Strict`, [{ op: 'add', path: '/spec/nothing', value: 1 }], {
        type: json,
        only: ['code', 'reason', 'details.causes.*.field'],
      });
    },
    'reports unknown fields of an update of a custom object': async (api) => {
      const path = await makeWidget(api);
      const { body } = await api.get(path, { quiet: true });
      await api.put(`${path}?fieldValidation=Strict`, { ...body, spec: { size: 2, nothing: 1 } }, { only });
      await api.put(`${path}?fieldValidation=Warn`, { ...body, spec: { size: 2, nothing: 1 } }, { only });
    },
    'rejects unknown fields of an apply of a custom object': async (api) => {
      const path = await makeWidget(api);
      for (const mode of ['Strict', 'Warn', 'Ignore']) {
        await api.patch(
          `${path}?fieldManager=x&force=true&fieldValidation=${mode}`,
          widget(api, 'w', { size: 2, nothing: 1 }),
          { type: apply, only: ['code', 'reason', 'message', 'spec'] },
        );
      }
    },
    'returns several warnings in one header, and truncates them': async (api) => {
      const data = Object.fromEntries(
        Array.from({ length: 15 }, (_, at) => [`field${String(at).padStart(2, '0')}`, at]),
      );
      await api.post(`${configMaps(api)}?fieldValidation=Warn`, named('a', data), { only });
      await api.post(`${configMaps(api)}?fieldValidation=Strict`, named('a', data), { only });
    },
  },
);
