import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { install, statusAndScale, version, widgets, widgetsOf } from './custom-kinds.js';

const configMaps = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/configmaps`;
const all = '?dryRun=All';
const map = (name: string, data: object = {}): object => ({ metadata: { name }, data });

contract(
  'dry-run',
  {},
  {
    'a dry run does not store a created object': async (api) => {
      await api.post(configMaps(api) + all, map('a', { k: 'v' }));
      await api.get(`${configMaps(api)}/a`);
    },
    'a dry run validates and defaults a created object': async (api) => {
      await api.post(configMaps(api) + all, map('A_'));
      const pod = {
        metadata: { name: 'p' },
        spec: { schedulerName: 'none', containers: [{ name: 'c', image: 'nginx' }] },
      };
      await api.post(`/api/v1/namespaces/${api.namespace}/pods${all}`, pod, {
        only: ['spec.restartPolicy', 'spec.dnsPolicy', 'status'],
      });
    },
    'a dry run rejects a create with an existing name': async (api) => {
      await api.post(configMaps(api), map('a'), { quiet: true });
      await api.post(configMaps(api) + all, map('a'));
    },
    'a dry run generates a name from generateName': async (api) => {
      const { body } = await api.post(configMaps(api) + all, { metadata: { generateName: 'made-' } });
      await api.until(`${configMaps(api)}/${body.metadata.name}`, ({ status }) => status === 404);
    },
    'a dry run does not store an update': async (api) => {
      await api.post(configMaps(api), map('a', { k: '1' }), { quiet: true });
      await api.put(`${configMaps(api)}/a${all}`, map('a', { k: '2' }));
      await api.get(`${configMaps(api)}/a`, { only: ['data'] });
      await api.put(`${configMaps(api)}/none${all}`, map('none'));
    },
    'a dry run rejects an update with a stale resourceVersion': async (api) => {
      await api.post(configMaps(api), map('a', { k: '1' }), { quiet: true });
      await api.put(`${configMaps(api)}/a${all}`, { metadata: { name: 'a', resourceVersion: '1' } });
    },
    'a dry run of a patch returns the current resourceVersion': async (api) => {
      const { body } = await api.post(configMaps(api), map('a', { k: '1' }), { quiet: true });
      const patched = await api.patch(`${configMaps(api)}/a${all}`, { data: { k: '2' } }, { only: ['data'] });
      if (patched.body.metadata.resourceVersion !== body.metadata.resourceVersion)
        throw new Error('the resourceVersion differs');
    },
    'a dry run does not store a patch of any type': async (api) => {
      await api.post(configMaps(api), map('a', { k: '1' }), { quiet: true });
      const path = `${configMaps(api)}/a${all}`;
      await api.patch(path, { data: { k: '2' } }, { only: ['data'] });
      await api.patch(path, { data: { k: '3' } }, { only: ['data'], type: 'application/strategic-merge-patch+json' });
      await api.patch(path, [{ op: 'remove', path: '/data/k' }], {
        only: ['data'],
        type: 'application/json-patch+json',
      });
      await api.get(`${configMaps(api)}/a`, { only: ['data'] });
    },
    'a dry run does not delete an object': async (api) => {
      await api.post(configMaps(api), map('a'), { quiet: true });
      await api.delete(`${configMaps(api)}/a${all}`);
      await api.delete(`${configMaps(api)}/a`, { dryRun: ['All'] });
      await api.get(`${configMaps(api)}/a`, { only: ['metadata.name'] });
      await api.delete(`${configMaps(api)}/none${all}`);
    },
    'a dry run does not mark an object with finalizers for deletion': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a', finalizers: ['example.com/f'] } }, { quiet: true });
      await api.delete(`${configMaps(api)}/a${all}`, undefined, {
        only: ['metadata.deletionTimestamp', 'metadata.finalizers'],
      });
      await api.get(`${configMaps(api)}/a`, { only: ['metadata.deletionTimestamp', 'metadata.finalizers'] });
      await api.patch(`${configMaps(api)}/a`, { metadata: { finalizers: null } }, { quiet: true });
    },
    'a dry run of a deletion returns a Pod with its grace period': async (api) => {
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      await api.post(
        pods,
        { metadata: { name: 'p' }, spec: { schedulerName: 'none', containers: [{ name: 'c', image: 'nginx' }] } },
        { quiet: true },
      );
      await api.delete(`${pods}/p${all}`, undefined, {
        only: ['kind', 'metadata.deletionTimestamp', 'metadata.deletionGracePeriodSeconds'],
      });
      await api.get(`${pods}/p`, { only: ['metadata.deletionTimestamp', 'metadata.deletionGracePeriodSeconds'] });
    },
    'a dry run does not delete a collection': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a', labels: { x: 'y' } } }, { quiet: true });
      await api.delete(`${configMaps(api)}${all}&labelSelector=x`, undefined, {
        only: ['kind', 'items.*.metadata.name'],
      });
      await api.get(`${configMaps(api)}?labelSelector=x`, { only: ['items.*.metadata.name'] });
    },
    'a dry run does not store a scale': async (api) => {
      await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
      const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
      await api.post(widgetsOf(api), widget, { quiet: true });
      await api.patch(`${widgetsOf(api)}/w/scale${all}`, { spec: { replicas: 5 } }, { only: ['spec'] });
      await api.patch(`${widgetsOf(api)}/w/status${all}`, { status: { size: 5 } }, { only: ['spec', 'status'] });
      await api.get(`${widgetsOf(api)}/w`, { only: ['spec', 'status'] });
    },
    'a dry run does not store a custom object': async (api) => {
      await install(api, widgets(api));
      const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
      await api.post(widgetsOf(api) + all, widget);
      await api.get(`${widgetsOf(api)}/w`);
      await api.post(widgetsOf(api) + all, { ...widget, spec: { size: 0 } });
    },
    'a dry run does not store a definition': async (api) => {
      await api.post(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions${all}`, widgets(api), {
        only: ['metadata.name', 'spec.scope'],
      });
      await api.get(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${api.group}`);
    },
    'rejects dryRun values other than All': async (api) => {
      await api.post(`${configMaps(api)}?dryRun=all`, map('a'));
      await api.post(`${configMaps(api)}?dryRun=All&dryRun=All`, map('a'), { only: ['metadata.name', 'message'] });
      await api.post(`${configMaps(api)}?dryRun=All&dryRun=Some`, map('a'));
      await api.post(`${configMaps(api)}?dryRun=`, map('a'), { only: ['metadata.name', 'message'] });
      await api.get(`${configMaps(api)}/a`, { only: ['metadata.name', 'message'] });
    },
  },
);
