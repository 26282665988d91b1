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
    'whoever scales has the replicas, and no time': async (api) => {
      const path = await makeWidget(api);
      await api.put(`${path}/scale${by('scaler')}`, scale('w', 2));
      await managers(api, path);
    },
    'whoever scales again still has them': async (api) => {
      const path = await makeWidget(api);
      for (const replicas of [2, 3])
        await api.put(`${path}/scale${by('scaler')}`, scale('w', replicas), { quiet: true });
      await managers(api, path);
    },
    'whoever scales to what is there gets nothing': async (api) => {
      const path = await makeWidget(api);
      await api.put(`${path}/scale${by('scaler')}`, scale('w', 2), { quiet: true });
      await api.put(`${path}/scale${by('other')}`, scale('w', 2));
      await managers(api, path);
    },
    'whoever patches a Scale has the replicas': async (api) => {
      const path = await makeWidget(api);
      await api.patch(`${path}/scale${by('patcher')}`, { spec: { replicas: 4 } });
      await managers(api, path);
      await api.patch(`${path}/scale${by('patcher')}`, { spec: { replicas: null } });
      await managers(api, path);
    },
    'a dry run changes no manager': async (api) => {
      const path = await makeWidget(api);
      await api.put(`${path}/scale${by('scaler', '&dryRun=All')}`, scale('w', 2));
      await managers(api, path);
    },
    'managers that a Scale brings along are passed over': async (api) => {
      const path = await makeWidget(api);
      await api.put(`${path}/scale${by('scaler')}`, scale('w', 2, { managedFields: [] }));
      await managers(api, path);
    },
    'a Scale is not made of replicas that nobody has asked for': async (api) => {
      const path = await makeWidget(api, { colour: 'red' });
      await api.get(`${path}/scale`);
      await api.patch(`${path}/scale`, { metadata: { labels: { a: 'b' } } });
      await api.put(`${path}/scale${by('scaler')}`, scale('w', 1));
      await managers(api, path);
    },
    'a Scale of another object or version is refused': async (api) => {
      const path = await makeWidget(api);
      await api.put(`${path}/scale`, scale('w', 2, { uid: 'x' }));
      await api.put(`${path}/scale`, scale('w', 2, { resourceVersion: '1' }));
      await api.put(`${path}/scale`, scale('other', 2));
    },
    'an applied Scale conflicts with those who have the replicas': async (api) => {
      await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
      const path = `${widgetsOf(api)}/w`;
      await api.patch(`${path}${by('one')}`, widget(api, { size: 1 }), { ...applied, quiet: true });
      await api.patch(`${path}/scale${by('two')}`, scale('w', 2), applied);
      await managers(api, path);
    },
    'the Scale of a custom object cannot be changed by an apply': async (api) => {
      await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
      const path = `${widgetsOf(api)}/w`;
      await api.patch(`${path}${by('one')}`, widget(api, { size: 1 }), { ...applied, quiet: true });
      await api.patch(`${path}/scale${by('two', '&force=true')}`, scale('w', 2), applied);
      await api.patch(`${path}/scale${by('two')}`, { apiVersion: 'autoscaling/v1', kind: 'Scale' }, applied);
      await managers(api, path);
    },
    'nor that of one whose replicas nobody has': async (api) => {
      const path = await makeWidget(api, { colour: 'red' });
      await api.patch(`${path}/scale${by('two')}`, scale('w', 2), applied);
      await managers(api, path);
    },
    'what is applied to a Scale is one': async (api) => {
      await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
      const path = `${widgetsOf(api)}/w`;
      await api.patch(`${path}${by('one')}`, widget(api, { size: 1 }), { ...applied, quiet: true });
      await api.patch(`${path}/scale${by('two')}`, widget(api, { size: 1 }), applied);
      await api.patch(`${path}/scale${by('two')}`, { ...scale('w', 1), nope: 1 }, applied);
      await api.patch(`${path}/scale`, scale('w', 1), applied);
      await api.patch(`${widgetsOf(api)}/none/scale${by('two')}`, scale('none', 2), applied);
    },
    'the replicas that were scaled can be applied again': async (api) => {
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
    'the Scale of a Deployment can be applied': async (api) => {
      const path = await makeDeployment(api);
      await api.patch(`${path}/scale${by('two')}`, scale('d', 2), { ...applied, only: shown });
      await api.patch(`${path}/scale${by('two', '&force=true')}`, scale('d', 2), { ...applied, only: shown });
      await api.patch(`${path}/scale${by('three')}`, scale('d', 2), { ...applied, only: shown });
      await api.patch(`${path}/scale${by('three')}`, scale('d', 3), { ...applied, only: shown });
    },
    'whoever scales a Deployment has its replicas': async (api) => {
      const path = await makeDeployment(api);
      await api.put(`${path}/scale${by('scaler')}`, scale('d', 1), { only: shown });
      await api.get(path, { only: ['metadata.managedFields.0', 'spec.replicas'] });
    },
    'the Scale of a Deployment is judged': async (api) => {
      const path = await makeDeployment(api);
      await api.put(`${path}/scale`, scale('d', -1, { labels: { 'a b': '1' } }));
      await api.put(`${path}/scale`, scale('d', 1, { uid: 'x' }));
      await api.put(`${path}/scale`, scale('d', 1, { resourceVersion: '1' }));
      await api.put(`${path}/scale`, { ...scale('d', 1), kind: 'Deployment' });
    },
  },
);
