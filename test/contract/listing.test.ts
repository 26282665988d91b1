import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { install, widgets, widgetsOf } from './custom-kinds.js';

const configMaps = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/configmaps`;
/** Returns a path that lists the objects of the case, without the ConfigMap that the server creates in each namespace. */
const own = (api: ContractApi, query = ''): string => `${configMaps(api)}?labelSelector=app${query}`;
const listed = ['kind', 'apiVersion', 'metadata.remainingItemCount', 'items.*.metadata.name'];

async function make(api: ContractApi, names: readonly string[], labels: object = {}): Promise<void> {
  for (const name of names) {
    await api.post(configMaps(api), { metadata: { name, labels: { app: 'x', ...labels } } }, { quiet: true });
  }
}

contract(
  'listing',
  {},
  {
    'sorts the objects of a namespace by name': async (api) => {
      await make(api, ['b', 'a', 'c', 'a-b', 'a.b']);
      await api.get(own(api));
    },
    'includes the kind in items of custom kinds, but not of built-in kinds': async (api) => {
      await install(api, widgets(api));
      await api.post(
        widgetsOf(api),
        { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' } },
        { quiet: true },
      );
      await api.get(widgetsOf(api));
      await api.get(`/apis/${api.group}/v1/widgets`, { only: listed });
    },
    'returns an empty list of items': async (api) => {
      await api.get(`/apis/apps/v1/namespaces/${api.namespace}/deployments`);
      await api.get('/apis/apps/v1/namespaces/nowhere/deployments');
    },
    'selects labels by equality': async (api) => {
      await make(api, ['a'], { tier: 'web' });
      await make(api, ['b'], { tier: 'db' });
      await make(api, ['c']);
      for (const selector of ['tier=web', 'tier==web', 'tier!=web', 'tier', '!tier', 'tier=web,app=x', 'tier=']) {
        await api.get(`${configMaps(api)}?labelSelector=app,${encodeURIComponent(selector)}`, { only: listed });
      }
    },
    'selects labels by sets': async (api) => {
      await make(api, ['a'], { tier: 'web' });
      await make(api, ['b'], { tier: 'db' });
      await make(api, ['c']);
      for (const selector of ['tier in (web,db)', 'tier notin (web)', 'tier in (web, none)', 'tier in ()']) {
        await api.get(`${configMaps(api)}?labelSelector=${encodeURIComponent(`app,${selector}`)}`, { only: listed });
      }
    },
    'selects labels by numeric comparison': async (api) => {
      await make(api, ['a'], { size: '5' });
      await make(api, ['b'], { size: '50' });
      await make(api, ['c'], { size: 'big' });
      for (const selector of ['size>7', 'size<7', 'size>x']) {
        await api.get(`${configMaps(api)}?labelSelector=${encodeURIComponent(`app,${selector}`)}`, { only: listed });
      }
    },
    'rejects invalid label selectors': async (api) => {
      for (const selector of [
        'a=b=c',
        'a in b',
        'a in (b',
        '-a',
        'a=-b',
        ',',
        'a,,b',
        '!',
        'a>',
        'x/y/z',
        `${'k'.repeat(64)}=v`,
      ]) {
        await api.get(`${configMaps(api)}?labelSelector=${encodeURIComponent(selector)}`);
      }
    },
    'selects objects by the fields metadata.name and metadata.namespace': async (api) => {
      await make(api, ['a', 'b']);
      await api.get(own(api, '&fieldSelector=metadata.name%3Da'), { only: listed });
      await api.get(own(api, '&fieldSelector=metadata.name!%3Da'), { only: listed });
      await api.get(own(api, `&fieldSelector=metadata.namespace%3D${api.namespace},metadata.name%3Db`), {
        only: listed,
      });
      await api.get(own(api, '&fieldSelector=metadata.namespace%3Dother'), { only: listed });
      await api.get(`/api/v1/configmaps?labelSelector=app&fieldSelector=metadata.namespace%3D${api.namespace}`, {
        only: listed,
      });
    },
    'rejects field selectors on unsupported fields': async (api) => {
      await api.get(`${configMaps(api)}?fieldSelector=data.k%3Dv`);
      await api.get(`/apis/apps/v1/namespaces/${api.namespace}/deployments?fieldSelector=spec.replicas%3D1`);
      await api.get(`/api/v1/namespaces/${api.namespace}/pods?fieldSelector=spec.none%3D1`);
      await install(api, widgets(api));
      await api.get(`${widgetsOf(api)}?fieldSelector=spec.size%3D1`);
    },
    'rejects invalid field selectors': async (api) => {
      for (const selector of ['metadata.name', 'metadata.name=a=b', 'metadata.name=a\\b']) {
        await api.get(`${configMaps(api)}?fieldSelector=${encodeURIComponent(selector)}`);
      }
    },
    'selects Pods by node, phase, restart policy, and service account': async (api) => {
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      const spec = { schedulerName: 'none', containers: [{ name: 'c', image: 'nginx' }] };
      await api.post(pods, { metadata: { name: 'a' }, spec }, { quiet: true });
      await api.post(pods, { metadata: { name: 'b' }, spec: { ...spec, restartPolicy: 'Never' } }, { quiet: true });
      for (const selector of [
        'spec.nodeName=',
        'status.phase=Pending',
        'spec.restartPolicy=Never',
        'spec.serviceAccountName=default',
        'status.phase!=Pending',
        'spec.schedulerName=none',
        'status.nominatedNodeName=',
        'spec.hostNetwork=false',
      ]) {
        await api.get(`${pods}?fieldSelector=${encodeURIComponent(selector)}`, { only: listed });
      }
    },
    'selects Secrets by type': async (api) => {
      const secrets = `/api/v1/namespaces/${api.namespace}/secrets`;
      await api.post(secrets, { metadata: { name: 'a' }, type: 'example.com/x' }, { quiet: true });
      await api.post(secrets, { metadata: { name: 'b' } }, { quiet: true });
      await api.get(`${secrets}?fieldSelector=type%3Dexample.com/x`, { only: listed });
      await api.get(`${secrets}?fieldSelector=type%3DOpaque`, { only: listed });
    },
    'returns a list in pages': async (api) => {
      await make(api, ['a', 'b', 'c', 'd', 'e']);
      const first = await api.get(`${configMaps(api)}?limit=2`, { only: listed });
      const second = await api.get(`${configMaps(api)}?limit=2&continue=${first.body.metadata.continue}`, {
        only: listed,
      });
      const last = await api.get(`${configMaps(api)}?limit=9&continue=${second.body.metadata.continue}`, {
        quiet: true,
      });
      if (last.body.metadata.continue || last.body.metadata.remainingItemCount)
        throw new Error('the last page has a continue token or a remaining item count');
    },
    'omits the remaining item count with a selector': async (api) => {
      await make(api, ['a', 'b', 'c']);
      const first = await api.get(own(api, '&limit=2'), { only: [...listed, 'metadata.continue'] });
      await api.get(own(api, `&limit=2&continue=${first.body.metadata.continue}`), { only: listed });
    },
    'returns the state of the first page on all pages': async (api) => {
      await make(api, ['a', 'b', 'c', 'd']);
      const first = await api.get(own(api, '&limit=2'), { quiet: true });
      await make(api, ['bb']);
      await api.delete(`${configMaps(api)}/c`, undefined, { quiet: true });
      const second = await api.get(own(api, `&limit=5&continue=${first.body.metadata.continue}`), { only: listed });
      if (second.body.metadata.resourceVersion !== first.body.metadata.resourceVersion)
        throw new Error('the pages have different resourceVersions');
    },
    'returns no continue token if a page contains exactly the remaining objects': async (api) => {
      await make(api, ['a', 'b']);
      await api.get(own(api, '&limit=2'), { only: [...listed, 'metadata.continue'] });
    },
    'rejects invalid limits': async (api) => {
      await make(api, ['a', 'b']);
      await api.get(own(api, '&limit=x'));
      await api.get(own(api, '&limit=-1'), { only: listed });
      await api.get(own(api, '&limit=0'), { only: listed });
      await api.get(own(api, '&limit='), { only: listed });
      await api.get(own(api, '&limit=99999999999999999999'));
    },
    'rejects invalid continue tokens': async (api) => {
      await api.get(own(api, '&limit=2&continue=nonsense'));
      const token = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      await api.get(own(api, `&limit=2&continue=${token({ v: 'meta.k8s.io/v9', rv: 1, start: 'a' })}`));
      await api.get(own(api, `&limit=2&continue=${token({ v: 'meta.k8s.io/v1', start: 'a' })}`));
      await api.get(own(api, `&limit=2&continue=${token({ v: 'meta.k8s.io/v1', rv: 1, start: '' })}`));
      await api.get(own(api, `&limit=2&continue=${token({ v: 'meta.k8s.io/v1', rv: 1, start: '../a' })}`));
    },
    'rejects a continue token with a resourceVersion': async (api) => {
      await make(api, ['a', 'b', 'c']);
      const { body } = await api.get(own(api, '&limit=1'), { quiet: true });
      const next = `&limit=1&continue=${body.metadata.continue}`;
      await api.get(own(api, `${next}&resourceVersion=${body.metadata.resourceVersion}`));
      await api.get(own(api, `${next}&resourceVersion=0`), { only: listed });
      await api.get(own(api, `${next}&resourceVersionMatch=Exact`));
      await api.get(own(api, `${next}&resourceVersion=0&resourceVersionMatch=NotOlderThan`));
    },
    'lists at or after the given resourceVersion, depending on resourceVersionMatch': async (api) => {
      await make(api, ['a']);
      const { body } = await api.get(own(api), { quiet: true });
      await make(api, ['b']);
      const { resourceVersion } = body.metadata;
      await api.get(own(api, '&resourceVersion='), { only: listed });
      await api.get(own(api, `&resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`), { only: listed });
      await api.get(own(api, `&resourceVersion=${resourceVersion}&limit=5`), { only: listed });
      await api.get(own(api, `&resourceVersion=${resourceVersion}&limit=5&resourceVersionMatch=Exact`), {
        only: listed,
      });
    },
    'returns the requested resourceVersion of an exact list': async (api) => {
      await make(api, ['a']);
      const { body } = await api.get(own(api), { quiet: true });
      await make(api, ['b']);
      const { resourceVersion } = body.metadata;
      const exact = await api.get(own(api, `&resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`), {
        quiet: true,
      });
      if (exact.body.metadata.resourceVersion !== resourceVersion) throw new Error(exact.body.metadata.resourceVersion);
    },
    'rejects invalid combinations of resourceVersionMatch': async (api) => {
      for (const query of [
        'resourceVersionMatch=Exact',
        'resourceVersionMatch=NotOlderThan',
        'resourceVersionMatch=Sometimes&resourceVersion=1',
        'resourceVersionMatch=Exact&resourceVersion=0',
        'resourceVersionMatch=Exact&resourceVersion=x',
        'resourceVersionMatch=NotOlderThan&resourceVersion=x',
        'resourceVersion=x',
        'resourceVersion=-1',
        'resourceVersion=x&limit=1',
      ]) {
        await api.get(`${configMaps(api)}?${query}`);
      }
    },
    'rejects sendInitialEvents for a list': async (api) => {
      await api.get(`${configMaps(api)}?sendInitialEvents=true`);
      await api.get(`${configMaps(api)}?sendInitialEvents=false`);
      await api.get(`${configMaps(api)}?sendInitialEvents=true&resourceVersionMatch=NotOlderThan`);
    },
    'waits for a future resourceVersion, and then rejects the list': async (api) => {
      await api.get(own(api, '&resourceVersion=1000000000'));
    },
    'rejects an exact list at a future resourceVersion': async (api) => {
      await api.get(own(api, '&resourceVersion=1000000000&resourceVersionMatch=Exact'), {
        only: ['reason', 'code', 'details'],
      });
      await api.get(own(api, '&resourceVersion=1000000000&resourceVersionMatch=NotOlderThan'), {
        only: ['reason', 'code', 'details'],
      });
    },
    'reads one object at a resourceVersion': async (api) => {
      await make(api, ['a']);
      await api.get(`${configMaps(api)}/a?resourceVersion=0`, { only: ['metadata.name'] });
      await api.get(`${configMaps(api)}/a?resourceVersion=1`, { only: ['metadata.name'] });
      await api.get(`${configMaps(api)}/a?resourceVersion=x`);
      await api.get(`${configMaps(api)}/a?resourceVersion=1000000000`, { only: ['reason', 'code', 'details'] });
    },
    'orders a list of all namespaces by namespace and name': async (api) => {
      const other = api.name('zz-other');
      await api.post('/api/v1/namespaces', { metadata: { name: other } }, { quiet: true });
      const label = `labelSelector=case%3D${api.namespace}`;
      const labels = { case: api.namespace };
      await api.post(configMaps(api), { metadata: { name: 'b', labels } }, { quiet: true });
      await api.post(`/api/v1/namespaces/${other}/configmaps`, { metadata: { name: 'a', labels } }, { quiet: true });
      await api.get(`/api/v1/configmaps?${label}`, { only: ['items.*.metadata.namespace', 'items.*.metadata.name'] });
      const { body } = await api.get(`/api/v1/configmaps?${label}&limit=1`, { only: ['items.*.metadata.name'] });
      await api.get(`/api/v1/configmaps?${label}&limit=1&continue=${body.metadata.continue}`, {
        only: ['items.*.metadata.name'],
      });
    },
    'ignores the namespace of a continue token from another list': async (api) => {
      await make(api, ['a', 'b']);
      const { body } = await api.get(`${configMaps(api)}?limit=1`, { quiet: true });
      await api.get(`/api/v1/namespaces/${api.namespace}/secrets?limit=1&continue=${body.metadata.continue}`, {
        only: ['kind', 'items'],
      });
    },
    'selects one object by metadata.name': async (api) => {
      await make(api, ['a']);
      await api.get(`${configMaps(api)}?fieldSelector=metadata.name%3Da&resourceVersion=0`, { only: listed });
      await api.get(`${configMaps(api)}?fieldSelector=metadata.name%3Dnone`, { only: listed });
    },
    'ignores unknown query parameters': async (api) => {
      await make(api, ['a']);
      await api.get(own(api, '&fruit=apple&pretty=false'), { only: listed });
    },
    'ignores empty terms of a field selector': async (api) => {
      await make(api, ['a', 'b']);
      for (const selector of ['=', '==', '!=', '=,!=', 'metadata.name=a,==']) {
        await api.get(own(api, `&fieldSelector=${encodeURIComponent(selector)}`), { only: [...listed, 'message'] });
      }
      await api.get(own(api, '&fieldSelector=%3Da'));
      await api.get(`/api/v1/namespaces/${api.namespace}/pods?fieldSelector=%3D%3D`, { only: listed });
    },
    'waits until a requested resourceVersion exists': async (api) => {
      await make(api, ['a']);
      const { body } = await api.get(own(api), { quiet: true });
      const next = String(Number(body.metadata.resourceVersion) + 1);
      api.mask(`resourceVersion=${next}`, 'resourceVersion=<next>');
      const options = { only: ['kind', 'metadata.name', 'code'] };
      const [answer] = await Promise.all([
        api.get(`${configMaps(api)}/a?resourceVersion=${next}`, options),
        make(api, ['b']),
      ]);
      if (answer.status !== 200) throw new Error(`the server returned status ${answer.status}`);
    },
    'returns 504 after three seconds if a requested resourceVersion does not exist': async (api) => {
      await make(api, ['a']);
      const began = performance.now();
      await Promise.all([
        api.get(own(api, '&resourceVersion=900000000'), { quiet: true }),
        api.get(own(api, '&resourceVersion=900000000&resourceVersionMatch=Exact'), { quiet: true }),
        api.get(`${configMaps(api)}/none?resourceVersion=900000000`),
        api.delete(own(api, '&resourceVersion=900000000'), undefined, { quiet: true }),
      ]);
      if (performance.now() - began < 2_900) throw new Error('the request did not wait');
    },
    'ignores timeoutSeconds of a list': async (api) => {
      await make(api, ['a']);
      await api.get(own(api, '&timeoutSeconds=5'), { only: listed });
      await api.get(own(api, '&timeoutSeconds=x'));
    },
  },
);
