import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { install, statusAndScale, version, widgets, widgetsOf } from './custom-kinds.js';

const applyPatch = 'application/apply-patch+yaml';
const scale = (name: string, replicas?: number, metadata: object = {}): object => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name, ...metadata },
  spec: replicas === undefined ? {} : { replicas },
});
const by = (manager: string, query = ''): string => `?fieldManager=${manager}${query}`;
const applied = { type: applyPatch };

/** Creates a Widget whose size each test scales. */
async function makeWidget(api: ContractApi, spec: object = { size: 1, colour: 'red' }): Promise<string> {
  await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
  await api.post(widgetsOf(api), widget(api, spec), { quiet: true });
  return `${widgetsOf(api)}/w`;
}
const widget = (api: ContractApi, spec: object): object => ({
  apiVersion: `${api.group}/v1`,
  kind: 'Widget',
  metadata: { name: 'w' },
  spec,
});
const managers = (api: ContractApi, path: string): Promise<unknown> =>
  api.get(path, { only: ['metadata.managedFields', 'metadata.generation', 'spec'] });

/** Creates a Deployment that no other client changes, except for its status. */
async function makeDeployment(api: ContractApi): Promise<string> {
  const deployments = `/apis/apps/v1/namespaces/${api.namespace}/deployments`;
  const labels = { app: 'd' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 0, paused: true, selector: { matchLabels: labels }, template };
  await api.post(deployments, { metadata: { name: 'd' }, spec }, { quiet: true });
  return `${deployments}/d`;
}
const shown = ['kind', 'apiVersion', 'metadata.name', 'metadata.managedFields', 'spec', 'code', 'message', 'details'];

contract(
  'scaling',
  {},
  {
    'assigns ownership of the replicas to the field manager of the scale in an entry without a time': async (api) => {
      const path = await makeWidget(api);
      await api.put(`${path}/scale${by('scaler')}`, scale('w', 2));
      await managers(api, path);
    },
    'keeps ownership of the replicas if the same field manager scales again': async (api) => {
      const path = await makeWidget(api);
      for (const replicas of [2, 3])
        await api.put(`${path}/scale${by('scaler')}`, scale('w', replicas), { quiet: true });
      await managers(api, path);
    },
    'does not assign ownership for an unchanged scale': async (api) => {
      const path = await makeWidget(api);
      await api.put(`${path}/scale${by('scaler')}`, scale('w', 2), { quiet: true });
      await api.put(`${path}/scale${by('other')}`, scale('w', 2));
      await managers(api, path);
    },
    'assigns ownership of the replicas for a patch of the scale': async (api) => {
      const path = await makeWidget(api);
      await api.patch(`${path}/scale${by('patcher')}`, { spec: { replicas: 4 } });
      await managers(api, path);
      await api.patch(`${path}/scale${by('patcher')}`, { spec: { replicas: null } });
      await managers(api, path);
    },
    'does not change managedFields in a dry run': async (api) => {
      const path = await makeWidget(api);
      await api.put(`${path}/scale${by('scaler', '&dryRun=All')}`, scale('w', 2));
      await managers(api, path);
    },
    'ignores the managedFields of a Scale': async (api) => {
      const path = await makeWidget(api);
      await api.put(`${path}/scale${by('scaler')}`, scale('w', 2, { managedFields: [] }));
      await managers(api, path);
    },
    'returns an error for the scale of an object without replicas': async (api) => {
      const path = await makeWidget(api, { colour: 'red' });
      await api.get(`${path}/scale`);
      await api.patch(`${path}/scale`, { metadata: { labels: { a: 'b' } } });
      await api.put(`${path}/scale${by('scaler')}`, scale('w', 1));
      await managers(api, path);
    },
    'rejects a Scale of another object or version': async (api) => {
      const path = await makeWidget(api);
      await api.put(`${path}/scale`, scale('w', 2, { uid: 'x' }));
      await api.put(`${path}/scale`, scale('w', 2, { resourceVersion: '1' }));
      await api.put(`${path}/scale`, scale('other', 2));
    },
    'reports that an applied Scale conflicts with the owners of the replicas': async (api) => {
      await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
      const path = `${widgetsOf(api)}/w`;
      await api.patch(`${path}${by('one')}`, widget(api, { size: 1 }), { ...applied, quiet: true });
      await api.patch(`${path}/scale${by('two')}`, scale('w', 2), applied);
      await managers(api, path);
    },
    'rejects an apply that changes the Scale of a custom object': async (api) => {
      await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
      const path = `${widgetsOf(api)}/w`;
      await api.patch(`${path}${by('one')}`, widget(api, { size: 1 }), { ...applied, quiet: true });
      await api.patch(`${path}/scale${by('two', '&force=true')}`, scale('w', 2), applied);
      await api.patch(`${path}/scale${by('two')}`, { apiVersion: 'autoscaling/v1', kind: 'Scale' }, applied);
      await managers(api, path);
    },
    'rejects an apply of the Scale of a custom object without owners of the replicas': async (api) => {
      const path = await makeWidget(api, { colour: 'red' });
      await api.patch(`${path}/scale${by('two')}`, scale('w', 2), applied);
      await managers(api, path);
    },
    'rejects an apply of an object that is not a Scale': async (api) => {
      await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
      const path = `${widgetsOf(api)}/w`;
      await api.patch(`${path}${by('one')}`, widget(api, { size: 1 }), { ...applied, quiet: true });
      await api.patch(`${path}/scale${by('two')}`, widget(api, { size: 1 }), applied);
      await api.patch(`${path}/scale${by('two')}`, { ...scale('w', 1), nope: 1 }, applied);
      await api.patch(`${path}/scale`, scale('w', 1), applied);
      await api.patch(`${widgetsOf(api)}/none/scale${by('two')}`, scale('none', 2), applied);
    },
    'accepts an apply of replicas that a scale has set': async (api) => {
      await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
      const path = `${widgetsOf(api)}/w`;
      await api.patch(`${path}${by('one')}`, widget(api, { size: 1, colour: 'red' }), { ...applied, quiet: true });
      await api.put(`${path}/scale${by('scaler')}`, scale('w', 2), { quiet: true });
      await managers(api, path);
      await api.patch(`${path}${by('one')}`, widget(api, { size: 1, colour: 'red' }), applied);
      await api.patch(`${path}${by('one', '&force=true')}`, widget(api, { size: 1, colour: 'red' }), {
        ...applied,
        quiet: true,
      });
      await managers(api, path);
    },
    'applies the Scale of a Deployment': async (api) => {
      const path = await makeDeployment(api);
      await api.patch(`${path}/scale${by('two')}`, scale('d', 2), { ...applied, only: shown });
      await api.patch(`${path}/scale${by('two', '&force=true')}`, scale('d', 2), { ...applied, only: shown });
      await api.patch(`${path}/scale${by('three')}`, scale('d', 2), { ...applied, only: shown });
      await api.patch(`${path}/scale${by('three')}`, scale('d', 3), { ...applied, only: shown });
    },
    'assigns ownership of the replicas of a scaled Deployment': async (api) => {
      const path = await makeDeployment(api);
      await api.put(`${path}/scale${by('scaler')}`, scale('d', 1), { only: shown });
      await api.get(path, { only: ['metadata.managedFields.0', 'spec.replicas'] });
    },
    'validates the Scale of a Deployment': async (api) => {
      const path = await makeDeployment(api);
      await api.put(`${path}/scale`, scale('d', -1, { labels: { 'a b': '1' } }));
      await api.put(`${path}/scale`, scale('d', 1, { uid: 'x' }));
      await api.put(`${path}/scale`, scale('d', 1, { resourceVersion: '1' }));
      await api.put(`${path}/scale`, { ...scale('d', 1), kind: 'Deployment' });
    },
  },
);
