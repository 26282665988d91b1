import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { install, version, widgets, widgetsOf } from './custom-kinds.js';

const dryRun = '?dryRun=All';
const inherited = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'];
const json = 'application/json';
const jsonPatch = 'application/json-patch+json';

const namespaced = (api: ContractApi, plural: string, group = 'v1'): string =>
  `/${group === 'v1' ? 'api' : 'apis'}/${group}/namespaces/${api.namespace}/${plural}`;

/** Installs Widgets whose spec has the given fields, and returns their path. */
async function installWidgets(api: ContractApi, properties: object): Promise<string> {
  const spec = { type: 'object', properties, 'x-kubernetes-preserve-unknown-fields': true };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  await install(api, widgets(api, { versions: [version('v1', { schema })] }));
  return widgetsOf(api);
}

const widget = (api: ContractApi, spec: string, metadata = '{"name":"w"}'): string =>
  `{"apiVersion":"${api.group}/v1","kind":"Widget","metadata":${metadata},"spec":${spec}}`;

const pod = (memory: string): string =>
  `{"metadata":{"name":"p"},"spec":{"containers":[{"name":"a","image":"b","resources":{"limits":{"memory":${memory}}}}]}}`;

contract(
  'bad-input',
  {},
  {
    'matches patterns in linear time': async (api) => {
      const path = await installWidgets(api, { text: { type: 'string', pattern: '^(a+)+$' } });
      for (const end of ['', 'b']) {
        await api.post(`${path}${dryRun}`, widget(api, `{"text":"${'a'.repeat(30)}${end}"}`), {
          type: json,
          only: ['code', 'message', 'spec'],
        });
      }
    },

    'limits the size of the values that JSON patches copy': async (api) => {
      const path = `${namespaced(api, 'configmaps')}/c`;
      await api.post(namespaced(api, 'configmaps'), { metadata: { name: 'c' }, data: { a: 'x' } }, { quiet: true });
      const copies = Array.from({ length: 24 }, () => ({ op: 'copy', from: '/data', path: '/data/l/0' }));
      const list = { op: 'add', path: '/data/l', value: ['x'.repeat(1000)] };
      await api.patch(path, [list, ...copies], { type: jsonPatch });
    },

    'limits the size of stored objects': async (api) => {
      const path = await installWidgets(api, {});
      const body = (size: number): string => widget(api, `{"text":"${'x'.repeat(size)}"}`);
      const shown = { type: json, only: ['code', 'message', 'reason', 'metadata.name'] };
      await api.post(path, body(1_600_000), shown);
      await api.post(path, body(2_200_000), { ...shown, only: ['code', 'reason', 'metadata.name'] });
      await api.post(`${path}${dryRun}`, body(1_600_000), shown);
      await api.post(path, body(1_500_000), shown);
      await api.patch(`${path}/w`, { spec: { more: 'x'.repeat(100_000) } }, { only: shown.only });
      await api.post(path, body(3_200_000), { ...shown, only: ['code', 'message', 'reason'] });
    },

    'reads quantities beyond 2^53 from JSON numbers': async (api) => {
      const only = ['code', 'message', 'spec.containers.*.resources'];
      for (const memory of ['9007199254740993', '123456789012345678901234', '-1']) {
        await api.post(`${namespaced(api, 'pods')}${dryRun}`, pod(memory), { type: json, only });
      }
    },

    'rejects objects without a name': async (api) => {
      await api.post('/apis/scheduling.k8s.io/v1/priorityclasses', { value: 1 });
      const template = { spec: { containers: [{ name: 'a', image: 'b' }], restartPolicy: 'Never' } };
      const spec = { schedule: '* * * * *', jobTemplate: { spec: { template } } };
      await api.post(namespaced(api, 'cronjobs', 'batch/v1'), { spec });
    },

    'rejects CEL rules without an expression': async (api) => {
      const spec = { type: 'object', 'x-kubernetes-validations': [{}] };
      const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
      await api.post(
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
        widgets(api, { versions: [version('v1', { schema })] }),
      );
    },

    'rejects an Eviction whose apiVersion is not a string': async (api) => {
      for (const apiVersion of [{}, { toString: 1 }, []]) {
        await api.post(`${namespaced(api, 'pods')}/p/eviction`, {
          apiVersion,
          kind: 'Eviction',
          metadata: { name: 'p' },
        });
      }
    },

    'accepts any name of an impersonated extra field': async (api) => {
      for (const name of [...inherited, '-__proto__']) {
        const headers = { [`Impersonate-Extra-${name}`]: 'x' };
        await api.get('/api', { headers, as: '', only: ['code', 'message', 'kind'] });
        await api.get('/api', {
          headers: { ...headers, 'Impersonate-User': 'somebody' },
          only: ['code', 'message', 'kind'],
        });
      }
    },

    'accepts a Secret of any type': async (api) => {
      for (const type of inherited) {
        await api.post(
          `${namespaced(api, 'secrets')}${dryRun}`,
          { metadata: { name: 's' }, type },
          { only: ['code', 'message', 'type'] },
        );
      }
    },

    'stores keys that are names of inherited JavaScript properties': async (api) => {
      const data = `{${inherited.map((key) => `"${key}":"x"`).join(',')}}`;
      const only = ['code', 'message', 'data', 'stringData', 'metadata.managedFields'];
      for (const plural of ['configmaps', 'secrets']) {
        const field = plural === 'secrets' ? 'stringData' : 'data';
        await api.post(namespaced(api, plural), `{"metadata":{"name":"all"},"${field}":${data}}`, { type: json, only });
        await api.get(`${namespaced(api, plural)}/all`, { only });
      }
      const path = await installWidgets(api, {
        map: { type: 'object', additionalProperties: { type: 'string' } },
      });
      const spec = `{"map":${data},"free":${data},"__proto__":{"a":1}}`;
      await api.post(path, widget(api, spec), {
        type: json,
        only: ['code', 'message', 'spec', 'metadata.managedFields'],
      });
      await api.get(`${path}/w`, { only: ['code', 'message', 'spec'] });
    },

    'rejects a roleRef of an unknown kind': async (api) => {
      for (const kind of ['Nope', 'constructor', '__proto__']) {
        const roleRef = { kind, name: 'x', apiGroup: 'rbac.authorization.k8s.io' };
        await api.post(namespaced(api, 'rolebindings', 'rbac.authorization.k8s.io/v1'), {
          metadata: { name: 'b' },
          roleRef,
        });
      }
    },

    'rejects an apply with an undeclared field in a list': async (api) => {
      const slice = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name: 'e' } };
      await api.patch(
        `${namespaced(api, 'endpointslices', 'discovery.k8s.io/v1')}/e?fieldManager=a`,
        { ...slice, addressType: 'IPv4', endpoints: [], ports: [{ name: 'a', port: 1, undeclared: 2 }] },
        { type: 'application/apply-patch+yaml' },
      );
    },

    'rejects delete options and schemas with values of wrong types': async (api) => {
      const path = `${namespaced(api, 'configmaps')}/kube-root-ca.crt`;
      await api.delete(path, { dryRun: [{ toString: null }] });
      const schemas = [{ items: 'x' }, { items: true }, { additionalProperties: 1 }, { additionalProperties: 'x' }];
      for (const more of schemas) {
        const type = 'items' in more ? 'array' : 'object';
        const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type, ...more } } } };
        const definition = widgets(api, { versions: [version('v1', { schema })] });
        await api.post(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions${dryRun}`, definition, {
          only: ['code', 'message', 'spec.versions'],
        });
      }
    },

    'rejects selectors with incomplete requirements': async (api) => {
      const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'b' }] } };
      for (const requirement of [
        { key: 'a' },
        { key: 'a', operator: 'In' },
        { key: 'a', operator: 'Nope', values: ['x'] },
      ]) {
        const spec = { selector: { matchExpressions: [requirement] }, template };
        await api.post(namespaced(api, 'deployments', 'apps/v1'), { metadata: { name: 'd' }, spec });
      }
      const spec = { selector: { matchExpressions: [{ operator: 'In' }] }, template };
      await api.post(
        namespaced(api, 'deployments', 'apps/v1'),
        { metadata: { name: 'd' }, spec },
        { only: ['code', 'reason'] },
      );
    },

    'accepts a strategic merge patch of a definition whose schema contains a list': async (api) => {
      const schema = {
        openAPIV3Schema: { type: 'object', properties: { list: { type: 'array', items: { type: 'string' } } } },
      };
      await install(api, widgets(api, { versions: [version('v1', { schema })] }));
      const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${api.group}`;
      await api.patch(
        path,
        {},
        { type: 'application/strategic-merge-patch+json', only: ['code', 'message', 'spec.versions'] },
      );
    },

    'returns all digits of a long integer in the error of an apply': async (api) => {
      const slice = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' };
      const body = JSON.stringify({ ...slice, metadata: { name: 0 } }).replace('0}', '9007199254740993}');
      const path = `${namespaced(api, 'endpointslices', 'discovery.k8s.io/v1')}/e?fieldManager=a`;
      await api.patch(path, body, { type: 'application/apply-patch+yaml' });
    },

    'rejects numbers that exceed the range of a double': async (api) => {
      const path = await installWidgets(api, { number: { type: 'number' } });
      const only = ['code', 'message', 'reason', 'spec'];
      for (const number of ['1e400', '-1e400', '1e308', '1e-400', '-0']) {
        await api.post(`${path}${dryRun}`, widget(api, `{"number":${number}}`), { type: json, only });
      }
      await api.post(path, widget(api, '{}'), { type: json, quiet: true });
      await api.patch(`${path}/w`, '{"spec":{"number":1e400}}', { only });
      await api.patch(`${path}/w`, '[{"op":"add","path":"/spec/number","value":1e400}]', { type: jsonPatch, only });
    },

    'validates a new object before it rejects the resourceVersion': async (api) => {
      const path = namespaced(api, 'configmaps');
      await api.post(`${path}${dryRun}`, { metadata: { name: 'a', resourceVersion: '12' } });
      await api.post(`${path}${dryRun}`, { metadata: { name: 'A_', resourceVersion: '12' } });
      await api.post(path, { metadata: { name: 'A_', resourceVersion: '12' } });
      await api.post(path, { metadata: { name: 'a', resourceVersion: '12' } });
      await api.post(path, { metadata: { name: 'kube-root-ca.crt', resourceVersion: '12' } });
      await api.post(`${path}${dryRun}`, { metadata: { name: 'kube-root-ca.crt', resourceVersion: '12' } });
      await api.post(path, { metadata: { name: 'b', resourceVersion: 'x1' } });
    },
  },
);
