import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { install, statusAndScale, version, widgets, widgetsOf } from './custom-kinds.js';

const type = 'application/apply-patch+yaml';
const configMap = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/configmaps/c`;
const deployment = (api: ContractApi): string => `/apis/apps/v1/namespaces/${api.namespace}/deployments/web`;
const map = (data?: object, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', ...metadata },
  ...(data && { data }),
});
const by = (manager: string, query = ''): string => `?fieldManager=${manager}${query}`;
const owned = ['metadata.managedFields', 'metadata.labels', 'data', 'message', 'details', 'code'];

const web = (spec: object): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { replicas: 0, selector: { matchLabels: { app: 'web' } }, ...spec },
});
const template = (containers: readonly object[], more: object = {}): object => ({
  template: { metadata: { labels: { app: 'web' } }, spec: { containers, ...more } },
});

/** Installs a Widget kind whose versions have different schemas for the same fields. Returns an unused name for a Widget. */
async function manyVersions(api: ContractApi): Promise<string> {
  const text = { type: 'string' };
  const items = { type: 'object', required: ['name'], properties: { name: text } };
  const granular = {
    l: { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
    s: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    m: { type: 'object', additionalProperties: text },
  };
  const atomic = {
    l: { type: 'array', items },
    s: { type: 'array', items: text },
    m: { ...granular.m, 'x-kubernetes-map-type': 'atomic' },
  };
  const of = (name: string, properties: object): object => {
    const spec = { type: 'object', properties: { a: text, ...properties } };
    const openAPIV3Schema = { type: 'object', properties: { spec } };
    return version(name, { storage: name === 'v1', schema: { openAPIV3Schema } });
  };
  await install(
    api,
    widgets(api, { versions: [of('v1', granular), of('v2', atomic), of('v3', { ...granular, b: text })] }),
  );
  return 'w';
}

async function listTypes(api: ContractApi): Promise<string> {
  const text = { type: 'string' };
  const item = { type: 'object', properties: { name: text, value: text }, required: ['name'] };
  const spec = {
    type: 'object',
    properties: {
      set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
      atomic: { type: 'array', items: text, 'x-kubernetes-list-type': 'atomic' },
      map: { type: 'array', items: item, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
      granular: { type: 'object', additionalProperties: text },
      whole: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' },
    },
  };
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  await install(api, widgets(api, { versions: [version('v1', { schema: { openAPIV3Schema } })] }));
  return `${widgetsOf(api)}/w`;
}
const widget = (api: ContractApi, spec: object): object => ({
  apiVersion: `${api.group}/v1`,
  kind: 'Widget',
  metadata: { name: 'w' },
  spec,
});
const withNull = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        n: { type: 'string', nullable: true },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
};
const shownWidget = ['spec', 'metadata.managedFields', 'metadata.generation', 'message', 'details'];

contract(
  'applying',
  {},
  {
    'creates an absent object': async (api) => {
      await api.patch(`${configMap(api)}${by('one')}`, map({ a: '1' }, { labels: { l: 'x' } }), { type });
      await api.get(configMap(api));
    },
    'accepts an apply in YAML': async (api) => {
      const yaml =
        'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  a: "1"\n  b: |\n    two\n    lines\n';
      await api.patch(`${configMap(api)}${by('one')}`, yaml, { type });
      await api.patch(`${configMap(api)}${by('one')}`, 'a: [', { type, only: ['code', 'reason'] });
    },
    'rejects an apply without a field manager': async (api) => {
      await api.patch(configMap(api), map({ a: '1' }), { type });
      await api.patch(`${configMap(api)}?fieldManager=`, map({ a: '1' }), { type });
      await api.patch(`${configMap(api)}?force=true`, map({ a: '1' }), { type });
    },
    'rejects an apply without kind or apiVersion, or with another kind': async (api) => {
      await api.patch(`${configMap(api)}${by('one')}`, { apiVersion: 'v1', metadata: { name: 'c' } }, { type });
      await api.patch(`${configMap(api)}${by('one')}`, { kind: 'ConfigMap', metadata: { name: 'c' } }, { type });
      await api.patch(`${configMap(api)}${by('one')}`, { ...map(), kind: 'Secret' }, { type });
      await api.patch(`${configMap(api)}${by('one')}`, { ...map(), apiVersion: 'v2' }, { type });
      await api.patch(`${configMap(api)}${by('one')}`, '5', { type });
      await api.patch(`${configMap(api)}${by('one')}`, '', { type });
    },
    'rejects an apply whose name or namespace differs from the path': async (api) => {
      await api.patch(`${configMap(api)}${by('one')}`, map({}, { name: 'other' }), { type });
      await api.patch(`${configMap(api)}${by('one')}`, map({}, { namespace: 'other' }), { type });
      await api.patch(
        `${configMap(api)}${by('one')}`,
        { apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } },
        { type },
      );
    },
    'rejects an apply with managedFields': async (api) => {
      await api.patch(`${configMap(api)}${by('one')}`, map({}, { managedFields: [{ manager: 'x' }] }), { type });
      await api.patch(`${configMap(api)}${by('one')}`, map({ a: '1' }, { managedFields: [] }), { type, only: owned });
    },
    'does not write an object when an apply changes nothing': async (api) => {
      const first = await api.patch(`${configMap(api)}${by('one')}`, map({ a: '1' }), { type, quiet: true });
      const again = await api.patch(`${configMap(api)}${by('one')}`, map({ a: '1' }), { type, quiet: true });
      if (first.body.metadata.resourceVersion !== again.body.metadata.resourceVersion)
        throw new Error('an apply without changes changed the resourceVersion');
      await api.patch(`${configMap(api)}${by('one')}`, map({ a: '2' }), { type, only: owned });
    },
    'reports a conflict with a field that another manager applied': async (api) => {
      await api.patch(`${configMap(api)}${by('one')}`, map({ a: '1', b: '1' }), { type, quiet: true });
      await api.patch(`${configMap(api)}${by('two')}`, map({ a: '2' }), { type });
      await api.patch(`${configMap(api)}${by('two')}`, map({ a: '2', b: '2' }), { type });
      await api.patch(`${configMap(api)}${by('two')}`, map({ a: '2', c: '2' }), { type });
    },
    'reports a conflict with a field that another manager updated': async (api) => {
      await api.patch(`${configMap(api)}${by('one')}`, map({ a: '1' }), { type, quiet: true });
      await api.patch(`${configMap(api)}${by('updater')}`, { data: { a: '2', b: '2' } }, { only: owned });
      await api.patch(`${configMap(api)}${by('one')}`, map({ a: '1' }), { type });
      await api.patch(`${configMap(api)}${by('three')}`, map({ a: '3', b: '3' }), { type });
    },
    'reports conflicts with several managers together': async (api) => {
      await api.patch(`${configMap(api)}${by('one')}`, map({ a: '1' }), { type, quiet: true });
      await api.patch(`${configMap(api)}${by('two')}`, map({ b: '2' }), { type, quiet: true });
      await api.patch(
        `${configMap(api)}${by('updater')}`,
        { data: { c: '3' }, metadata: { labels: { l: 'x' } } },
        { quiet: true },
      );
      await api.patch(`${configMap(api)}${by('three')}`, map({ a: '9', b: '9', c: '9' }, { labels: { l: '9' } }), {
        type,
        only: ['code', 'reason', 'message'],
      });
    },
    'transfers ownership of fields with force': async (api) => {
      await api.patch(`${configMap(api)}${by('one')}`, map({ a: '1', b: '1' }), { type, quiet: true });
      await api.patch(`${configMap(api)}${by('two', '&force=true')}`, map({ a: '2' }), { type, only: owned });
      await api.patch(`${configMap(api)}${by('one')}`, map({ b: '1' }), { type, only: owned });
    },
    'two managers that apply the same value share ownership of the field': async (api) => {
      await api.patch(`${configMap(api)}${by('one')}`, map({ a: '1' }), { type, quiet: true });
      await api.patch(`${configMap(api)}${by('two')}`, map({ a: '1' }), { type, only: owned });
      await api.patch(`${configMap(api)}${by('one')}`, map({ a: '2' }), { type });
      await api.patch(`${configMap(api)}${by('one')}`, map({}), { type, only: owned });
      await api.patch(`${configMap(api)}${by('two')}`, map({}), { type, only: owned });
    },
    'removes a field that its only owner no longer applies': async (api) => {
      await api.patch(`${configMap(api)}${by('one')}`, map({ a: '1', b: '1' }, { labels: { l: 'x', m: 'y' } }), {
        type,
        quiet: true,
      });
      await api.patch(`${configMap(api)}${by('one')}`, map({ a: '1' }, { labels: { l: 'x' } }), { type, only: owned });
      await api.patch(`${configMap(api)}${by('one')}`, map(), { type, only: owned });
    },
    'keeps a field that another manager has changed': async (api) => {
      await api.patch(`${configMap(api)}${by('one')}`, map({ a: '1' }), { type, quiet: true });
      await api.patch(`${configMap(api)}${by('updater')}`, { data: { a: '2' } }, { quiet: true });
      await api.patch(`${configMap(api)}${by('one')}`, map({}), { type, only: owned });
    },
    'records updates with their field managers': async (api) => {
      const maps = `/api/v1/namespaces/${api.namespace}/configmaps`;
      const named = (name: string): object => ({ metadata: { name }, data: { a: '1' } });
      await api.post(`${maps}?fieldManager=maker`, named('a'), { only: owned });
      await api.post(maps, named('b'), { only: owned });
      await api.post(maps, named('c'), { only: owned, headers: { 'user-agent': 'Some Agent/1.2 (x)' } });
      await api.post(maps, named('d'), { only: owned, headers: { 'user-agent': '' } });
      await api.put(`${maps}/a?fieldManager=maker`, { metadata: { name: 'a' }, data: { b: '2' } }, { only: owned });
      await api.patch(`${maps}/a?fieldManager=maker`, { data: { b: null } }, { only: owned });
    },
    'clears managedFields when a client sets an empty list': async (api) => {
      await api.patch(`${configMap(api)}${by('one')}`, map({ a: '1' }), { type, quiet: true });
      await api.patch(configMap(api), { metadata: { managedFields: [] } }, { only: owned });
      await api.patch(`${configMap(api)}${by('one')}`, map({ a: '1' }), { type, quiet: true });
      await api.patch(configMap(api), { metadata: { managedFields: [{}] } }, { only: owned });
      await api.patch(`${configMap(api)}${by('two')}`, map({ b: '1' }), { type, only: owned });
    },
    'ignores invalid managedFields in an update': async (api) => {
      await api.patch(`${configMap(api)}${by('one')}`, map({ a: '1' }), { type, quiet: true });
      await api.patch(
        configMap(api),
        { metadata: { managedFields: [{ manager: 'x', operation: 'Nothing' }] } },
        { only: owned },
      );
      await api.patch(
        configMap(api),
        { metadata: { managedFields: [{ manager: 'x', operation: 'Update', apiVersion: 'v1' }] } },
        { only: owned },
      );
      await api.patch(configMap(api), { metadata: { managedFields: null } }, { only: owned });
    },
    'kubectl takes ownership of fields that it set with client-side apply': async (api) => {
      const last = JSON.stringify(map({ a: '1' }));
      const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': `${last}\n` };
      await api.post(
        `/api/v1/namespaces/${api.namespace}/configmaps?fieldManager=kubectl-client-side-apply`,
        map({ a: '1' }, { annotations }),
        { quiet: true },
      );
      await api.patch(`${configMap(api)}${by('kubectl')}`, map({ a: '2' }), {
        type,
        only: ['data', 'metadata.managedFields', 'message'],
      });
    },
    'rejects a field that is not in the schema': async (api) => {
      await api.patch(`${configMap(api)}${by('one')}`, { ...map({ a: '1' }), nothing: 1 }, { type });
      await api.patch(`${deployment(api)}${by('one')}`, web({ nothing: 1, ...template([{ name: 'a', image: 'a' }]) }), {
        type,
      });
    },
    'rejects a value with a wrong type': async (api) => {
      await api.patch(`${configMap(api)}${by('one')}`, map({ a: 1 }), { type });
      await api.patch(
        `${deployment(api)}${by('one')}`,
        web({ replicas: 'x', ...template([{ name: 'a', image: 'a' }]) }),
        { type },
      );
      await api.patch(
        `${deployment(api)}${by('one')}`,
        web(
          template([
            { name: 'a', image: 'a' },
            { name: 'a', image: 'b' },
          ]),
        ),
        { type },
      );
    },
    'validates the object that results from an apply': async (api) => {
      await api.patch(`${configMap(api)}${by('one')}`, map({ 'a b': '1' }), { type });
      await api.patch(`/api/v1/namespaces/nowhere-at-all/configmaps/c${by('one')}`, map({ a: '1' }), { type });
    },
    'tracks ownership of keyed list items individually': async (api) => {
      await api.patch(
        `${deployment(api)}${by('one')}`,
        web(template([{ name: 'a', image: 'a:1', env: [{ name: 'X', value: '1' }] }])),
        { type, only: ['spec.template.spec.containers', 'metadata.managedFields', 'metadata.generation'] },
      );
      const other = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: template([
          { name: 'b', image: 'b:1' },
          { name: 'a', env: [{ name: 'Y', value: '2' }] },
        ]),
      };
      await api.patch(`${deployment(api)}${by('two')}`, other, {
        type,
        only: ['spec.template.spec.containers', 'message', 'details'],
      });
      await api.patch(`${deployment(api)}${by('one')}`, web(template([{ name: 'a', image: 'a:2' }])), {
        type,
        only: ['spec.template.spec.containers.*.env', 'message'],
      });
    },
    'assigns ownership of defaulted fields only to managers that apply them': async (api) => {
      const ports = [{ name: 'a', image: 'a:1', ports: [{ containerPort: 80 }] }];
      await api.patch(`${deployment(api)}${by('one')}`, web(template(ports)), {
        type,
        only: ['spec.template.spec.containers.*.ports', 'metadata.managedFields'],
      });
      await api.patch(
        `${deployment(api)}${by('two')}`,
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'web' },
          spec: { replicas: 0, strategy: { type: 'RollingUpdate' } },
        },
        { type, only: ['message', 'spec.strategy'] },
      );
    },
    'assigns ownership of a label selector as a whole': async (api) => {
      await api.patch(`${deployment(api)}${by('one')}`, web(template([{ name: 'a', image: 'a' }])), {
        type,
        quiet: true,
      });
      const other = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: { selector: { matchLabels: { app: 'web', more: 'x' } } },
      };
      await api.patch(`${deployment(api)}${by('two')}`, other, { type });
    },
    'tracks ownership of set values individually': async (api) => {
      const path = await listTypes(api);
      await api.patch(`${path}${by('one')}`, widget(api, { set: ['a', 'b'] }), { type, only: shownWidget });
      await api.patch(`${path}${by('two')}`, widget(api, { set: ['c', 'b'] }), { type, only: shownWidget });
      await api.patch(`${path}${by('one')}`, widget(api, { set: ['b'] }), { type, only: ['spec', 'message'] });
      await api.patch(`${path}${by('one')}`, widget(api, { set: ['b', 'b'] }), { type, only: ['spec', 'message'] });
    },
    'assigns ownership of an atomic list as a whole': async (api) => {
      const path = await listTypes(api);
      await api.patch(`${path}${by('one')}`, widget(api, { atomic: ['a'] }), { type, only: shownWidget });
      await api.patch(`${path}${by('two')}`, widget(api, { atomic: ['b'] }), { type, only: shownWidget });
      await api.patch(`${path}${by('two', '&force=true')}`, widget(api, { atomic: ['b'] }), {
        type,
        only: shownWidget,
      });
    },
    'merges a list of type map by its keys': async (api) => {
      const path = await listTypes(api);
      await api.patch(
        `${path}${by('one')}`,
        widget(api, {
          map: [
            { name: 'a', value: '1' },
            { name: 'b', value: '1' },
          ],
        }),
        { type, only: shownWidget },
      );
      await api.patch(
        `${path}${by('two')}`,
        widget(api, {
          map: [
            { name: 'c', value: '2' },
            { name: 'a', value: '2' },
          ],
        }),
        { type, only: shownWidget },
      );
      await api.patch(`${path}${by('one')}`, widget(api, { map: [{ name: 'b', value: '1' }] }), {
        type,
        only: ['spec', 'message'],
      });
      await api.patch(`${path}${by('one')}`, widget(api, { map: [{ value: '1' }] }), {
        type,
        only: ['spec', 'message'],
      });
    },
    'tracks ownership of granular maps by key, and of atomic maps as a whole': async (api) => {
      const path = await listTypes(api);
      await api.patch(`${path}${by('one')}`, widget(api, { granular: { a: '1' }, whole: { a: '1' } }), {
        type,
        only: shownWidget,
      });
      await api.patch(`${path}${by('two')}`, widget(api, { granular: { b: '2' } }), { type, only: shownWidget });
      await api.patch(`${path}${by('two')}`, widget(api, { whole: { b: '2' } }), { type, only: shownWidget });
    },
    'applies the status through the status subresource': async (api) => {
      await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
      const path = `${widgetsOf(api)}/w`;
      const whole = { ...widget(api, { size: 1 }), status: { size: 3 } };
      await api.patch(`${path}/status${by('one')}`, whole, { type });
      await api.patch(`${path}${by('one')}`, whole, { type, only: [...shownWidget, 'status'] });
      await api.patch(
        `${path}/status${by('one')}`,
        { ...whole, spec: { size: 9 } },
        { type, only: [...shownWidget, 'status'] },
      );
      await api.patch(
        `${path}/status${by('two')}`,
        { ...whole, status: { size: 4 } },
        { type, only: [...shownWidget, 'status'] },
      );
    },
    'records an update of the status with its subresource': async (api) => {
      await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
      const path = `${widgetsOf(api)}/w`;
      await api.patch(`${path}${by('one')}`, widget(api, { size: 1 }), { type, quiet: true });
      await api.patch(`${path}/status${by('one')}`, { status: { size: 1 } }, { only: [...shownWidget, 'status'] });
      await api.patch(`${path}/status${by('two')}`, { status: { size: 2 } }, { only: [...shownWidget, 'status'] });
    },
    'returns the result of a dry run without a write': async (api) => {
      await api.patch(`${configMap(api)}${by('one', '&dryRun=All')}`, map({ a: '1' }), { type });
      await api.get(configMap(api));
      await api.patch(`${configMap(api)}${by('one')}`, map({ a: '1' }), { type, quiet: true });
      await api.patch(`${configMap(api)}${by('two', '&dryRun=All')}`, map({ a: '2' }), { type });
      await api.patch(`${configMap(api)}${by('two', '&dryRun=All&force=true')}`, map({ a: '2' }), {
        type,
        only: owned,
      });
      await api.get(configMap(api), { only: owned });
    },
    'rejects an apply with a stale resourceVersion or another uid': async (api) => {
      await api.patch(`${configMap(api)}${by('one')}`, map({ a: '1' }), { type, quiet: true });
      await api.patch(`${configMap(api)}${by('one')}`, map({ a: '2' }, { resourceVersion: '1' }), { type });
      await api.patch(
        `${configMap(api)}${by('one')}`,
        map({ a: '2' }, { uid: '00000000-0000-0000-0000-000000000000' }),
        { type },
      );
    },
    'assigns ownership of a field without a schema as a whole': async (api) => {
      const path = `/apis/apps/v1/namespaces/${api.namespace}/controllerrevisions`;
      const revision = (data: object): object => ({
        apiVersion: 'apps/v1',
        kind: 'ControllerRevision',
        metadata: { name: 'r' },
        revision: 1,
        data,
      });
      const options = { type, only: ['metadata.managedFields', 'data', 'message', 'details'] };
      await api.patch(`${path}/r${by('one')}`, revision({ a: { b: 1 }, c: null }), options);
      await api.patch(`${path}/r${by('two')}`, revision({ a: { b: 1 } }), options);
      await api.patch(`${path}/r${by('two')}`, revision({ a: { b: 1 }, c: null }), options);
      await api.post(path, { ...revision({ a: [1, { b: 2 }] }), metadata: { name: 's' } }, options);
    },
    'assigns ownership of null if the schema is nullable': async (api) => {
      await install(api, widgets(api, { versions: [version('v1', { schema: { openAPIV3Schema: withNull } })] }));
      const path = `${widgetsOf(api)}/w`;
      await api.patch(`${path}${by('one')}`, widget(api, { n: null, free: { x: null } }), { type, only: shownWidget });
      await api.patch(`${path}${by('two')}`, widget(api, { n: null }), { type, only: shownWidget });
      await api.patch(`${path}${by('two')}`, widget(api, { n: '1' }), { type, only: shownWidget });
      await api.patch(`${path}${by('one')}`, widget(api, {}), { type, only: shownWidget });
    },
    'rejects null if the schema is not nullable': async (api) => {
      const path = `${await listTypes(api)}${by('one')}`;
      const options = { type, only: ['code', 'spec', 'details'] };
      await api.patch(path, widget(api, { granular: null }), options);
      await api.patch(path, widget(api, { granular: { a: null } }), options);
      await api.patch(path, widget(api, { map: [{ name: 'a', value: null }] }), options);
      await api.post(widgetsOf(api), widget(api, { granular: null, map: [{ name: 'a', value: null }] }), options);
      await api.patch(path, { ...widget(api, {}), metadata: { name: 'v', labels: { l: null } } }, options);
    },
    'reads null in the metadata of a custom object as an empty string': async (api) => {
      const path = await listTypes(api);
      const labelled = (labels: object): object => ({ ...widget(api, {}), metadata: { name: 'w', labels } });
      const shown = ['metadata.labels', 'metadata.managedFields', 'message'];
      await api.patch(`${path}${by('one')}`, labelled({ l: null }), { type, only: shown });
      await api.post(
        `${widgetsOf(api)}?dryRun=All`,
        { ...labelled({ l: null }), metadata: { name: 'v' } },
        { only: shown },
      );
      await api.patch(`${path}${by('two')}`, labelled({ l: null, m: 'x' }), { type, only: shown });
    },
    'rejects an apply that empties a map of a custom object, and accepts an apply that empties a list': async (api) => {
      const path = await listTypes(api);
      const options = { type, only: [...shownWidget, 'code'] };
      await api.patch(`${path}${by('one')}`, widget(api, { granular: { a: '1' }, set: ['a'] }), options);
      await api.patch(`${path}${by('one')}`, widget(api, { granular: {} }), options);
      await api.patch(`${path}${by('one')}`, widget(api, { set: [] }), options);
      await api.patch(`${path}${by('one')}`, widget(api, { granular: { b: '1' } }), options);
      await api.patch(`${path}${by('one')}`, widget(api, {}), options);
    },
    'reports all duplicate and invalid items of a set and of a list of type map': async (api) => {
      const path = `${await listTypes(api)}${by('one')}`;
      const options = { type, only: ['code', 'message'] };
      await api.patch(path, widget(api, { set: ['a', 'a', 'b', 'a'] }), options);
      await api.patch(
        path,
        widget(api, { map: [{ name: 'a' }, { name: 'a', value: 1 }, { value: 'x' }, { name: 'a' }] }),
        options,
      );
    },
    'reports each value with a wrong type together with the value': async (api) => {
      const path = `${await listTypes(api)}${by('one')}`;
      const options = { type, only: ['code', 'message'] };
      for (const spec of [
        { granular: 'x' },
        { granular: [1, 'a', null] },
        { set: { a: { b: true } } },
        { atomic: 1 },
      ]) {
        await api.patch(path, widget(api, spec), options);
      }
      for (const value of [1, 1.5, true, { b: 1, a: 'x' }, [1, 'x', null]]) {
        await api.patch(path, widget(api, { granular: { value } }), options);
      }
    },
    'ignores the metadata of an applied status of a custom object': async (api) => {
      await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
      const path = `${widgetsOf(api)}/w`;
      await api.patch(`${path}${by('one')}`, widget(api, { size: 1 }), { type, quiet: true });
      const status = { ...widget(api, { size: 2 }), metadata: { name: 'w', labels: { l: 'x' } }, status: { size: 1 } };
      const options = { type, only: ['status', 'spec', 'metadata.labels', 'metadata.managedFields', 'message'] };
      await api.patch(`${path}/status${by('two')}`, status, options);
      await api.patch(
        `${path}${by('three')}`,
        { ...widget(api, {}), metadata: { name: 'w', labels: { l: 'y' } } },
        options,
      );
      await api.patch(`${path}/status${by('two')}`, status, options);
    },
    'ignores the labels of an applied status of a Deployment': async (api) => {
      const options = { type, only: ['metadata.labels', 'metadata.annotations', 'metadata.managedFields', 'message'] };
      const named = (name: string, more: object = {}): object => ({
        ...web(template([{ name: 'a', image: 'i' }])),
        metadata: { name: 'web', labels: { l: name }, ...more },
      });
      await api.patch(`${deployment(api)}${by('one')}`, named('x'), options);
      await api.patch(`${deployment(api)}/status${by('two')}`, named('y', { annotations: { a: '1' } }), options);
    },
    'clears the managedFields of a custom object for a list with an empty entry, but not for an empty list': async (
      api,
    ) => {
      const path = await listTypes(api);
      const options = { type: 'application/json-patch+json', only: ['metadata.managedFields'] };
      const replace = (value: unknown): object[] => [{ op: 'replace', path: '/metadata/managedFields', value }];
      await api.patch(`${path}${by('one')}`, widget(api, { set: ['a'] }), { type, quiet: true });
      await api.patch(`${path}${by('two')}`, replace([]), options);
      await api.patch(`${path}${by('two')}`, replace([{}]), options);
    },
    'tracks ownership per API version of each manager': async (api) => {
      const name = await manyVersions(api);
      const body = { a: 'x', l: [{ name: 'n' }], s: ['1', '2'], m: { k: 'v' } };
      const as = (version: string, spec: object): object => ({
        apiVersion: `${api.group}/${version}`,
        kind: 'Widget',
        metadata: { name },
        spec,
      });
      const path = (version: string): string => `${widgetsOf(api, version)}/${name}`;
      const only = { only: owned };
      const apply = (version: string, spec: object, query: string): Promise<unknown> =>
        api.patch(`${path(version)}${query}`, as(version, spec), { type, ...only });
      await apply('v1', body, by('one'));
      await apply('v2', { m: { k: 'w' }, s: ['1'] }, by('two'));
      await apply('v2', { m: { k: 'w' }, s: ['1'], l: [{ name: 'n' }] }, by('two', '&force=true'));
      await apply('v1', { s: ['3'] }, by('three'));
      await apply('v2', body, by('one'));
      await apply('v1', { a: 'y' }, by('one'));
      await api.patch(`${path('v2')}${by('four')}`, { spec: { a: 'z', s: ['4'] } }, only);
      await api.patch(`${path('v1')}${by('five')}`, { spec: { m: { k: null } } }, only);
      // Only v3 has the field `b`.
      await apply('v3', { b: 'x' }, by('six'));
      await api.patch(`${path('v3')}${by('six')}`, { spec: { b: 'x' } }, only);
      await apply('v3', { b: 'y' }, by('six'));
    },
    'creates an absent Service through an apply of its status, but validates the object': async (api) => {
      const services = `/api/v1/namespaces/${api.namespace}/services`;
      const service = (more: object = {}): object => ({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'missing' },
        ...more,
      });
      const spec = { ports: [{ port: 80 }] };
      const path = `${services}/missing/status${by('one')}`;
      for (const body of [service(), service({ spec: 5 }), service({ metadata: {} })]) {
        await api.patch(path, body, { type });
      }
      await api.patch(path, service({ spec }), { type, only: ['message', 'spec.ports', 'metadata.managedFields'] });
      await api.post(services, { metadata: { name: 's' }, spec }, { quiet: true });
      await api.patch(`${services}/s/status${by('one')}`, service({ nope: 1 }), { type });
      await api.patch(`${services}/s/status${by('one')}`, service(), { type });
      await api.patch(`/api/v1/namespaces/${api.namespace}/pods/missing/status${by('one')}`, '5', { type });
      await api.patch(`${deployment(api)}/scale${by('one')}`, '5', { type });
    },
    'rejects a uid in an apply of an absent object, and ignores its resourceVersion': async (api) => {
      await api.patch(
        `${configMap(api)}${by('one')}`,
        map({ a: '2' }, { uid: '00000000-0000-0000-0000-000000000000' }),
        { type },
      );
      await api.patch(`${configMap(api)}${by('one')}`, map({ a: '2' }, { resourceVersion: '1' }), { type });
    },
  },
);
