import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { install, widgets, widgetsOf } from './custom-kinds.js';

const configMaps = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/configmaps`;
/** Returns a path that watches the objects of the case, without the ConfigMap that the server creates in each namespace. */
const own = (api: ContractApi, query = ''): string => `${configMaps(api)}?watch=1&labelSelector=app${query}`;
const seen = [
  'type',
  'object.kind',
  'object.apiVersion',
  'object.metadata.name',
  'object.metadata.labels',
  'object.data',
];

async function make(api: ContractApi, name: string, labels: object = {}): Promise<string> {
  const created = await api.post(
    configMaps(api),
    { metadata: { name, labels: { app: 'x', ...labels } } },
    { quiet: true },
  );
  return created.body.metadata.resourceVersion;
}
const change = (api: ContractApi, name: string, patch: object): Promise<unknown> =>
  api.patch(`${configMaps(api)}/${name}`, patch, { quiet: true });
const remove = (api: ContractApi, name: string): Promise<unknown> =>
  api.delete(`${configMaps(api)}/${name}`, undefined, { quiet: true });
const count =
  (desired: number) =>
  (events: readonly unknown[]): boolean =>
    events.length >= desired;

contract(
  'watching',
  {},
  {
    'a watch without a resourceVersion begins with the current state': async (api) => {
      await make(api, 'b');
      await make(api, 'a');
      await api.watch(own(api), { until: count(3), during: () => make(api, 'c') });
    },
    'a watch from resourceVersion 0 begins with the current state': async (api) => {
      await make(api, 'a');
      await api.watch(own(api, '&resourceVersion=0'), { until: count(2), during: () => make(api, 'b'), only: seen });
    },
    'a watch from a resourceVersion begins after this version': async (api) => {
      const version = await make(api, 'a');
      await make(api, 'b');
      await api.watch(own(api, `&resourceVersion=${version}`), {
        until: count(2),
        during: () => make(api, 'c'),
        only: seen,
      });
    },
    'reports changes and deletions with the whole object': async (api) => {
      const version = await make(api, 'a');
      await api.watch(own(api, `&resourceVersion=${version}`), {
        until: count(2),
        during: async () => {
          await change(api, 'a', { data: { k: 'v' } });
          await remove(api, 'a');
        },
      });
    },
    'a deletion event contains the resourceVersion of the deletion': async (api) => {
      const version = await make(api, 'a');
      const [event] = await api.watch(own(api, `&resourceVersion=${version}`), {
        until: count(1),
        during: () => remove(api, 'a'),
        quiet: true,
      });
      const { type, object } = event as { type: string; object: { metadata: { resourceVersion: string } } };
      if (type !== 'DELETED' || Number(object.metadata.resourceVersion) <= Number(version))
        throw new Error(JSON.stringify(event));
    },
    'reports an object that starts to match the selector as added, and an object that stops matching as deleted':
      async (api) => {
        const version = await make(api, 'a', { tier: 'db' });
        await api.watch(`${configMaps(api)}?watch=true&labelSelector=tier%3Dweb&resourceVersion=${version}`, {
          until: count(3),
          during: async () => {
            await change(api, 'a', { metadata: { labels: { tier: 'web' } } });
            await change(api, 'a', { data: { k: 'v' } });
            await change(api, 'a', { metadata: { labels: { tier: 'db' } } });
          },
          only: seen,
        });
      },
    'does not report the deletion of an object that does not match the selector': async (api) => {
      const version = await make(api, 'a', { tier: 'db' });
      await make(api, 'b', { tier: 'web' });
      await api.watch(`${configMaps(api)}?watch=true&labelSelector=tier%3Dweb&resourceVersion=${version}`, {
        until: count(2),
        during: async () => {
          await remove(api, 'a');
          await remove(api, 'b');
        },
        only: seen,
      });
    },
    'watches one object by name': async (api) => {
      const version = await make(api, 'a');
      await api.watch(`${configMaps(api)}?watch=1&fieldSelector=metadata.name%3Db&resourceVersion=${version}`, {
        until: count(2),
        during: async () => {
          await change(api, 'a', { data: { k: 'v' } });
          await make(api, 'b');
          await remove(api, 'b');
        },
        only: seen,
      });
    },
    'serves watches at the deprecated path /watch/': async (api) => {
      const version = await make(api, 'a');
      await api.watch(`/api/v1/watch/namespaces/${api.namespace}/configmaps/b?resourceVersion=${version}`, {
        until: count(1),
        during: async () => {
          await change(api, 'a', { data: { k: 'v' } });
          await make(api, 'b');
        },
        only: seen,
      });
      await api.watch(
        `/api/v1/watch/namespaces/${api.namespace}/configmaps?labelSelector=app&resourceVersion=${version}`,
        {
          until: count(2),
          only: seen,
        },
      );
    },
    'watches one object with watch=1': async (api) => {
      await make(api, 'a');
      await api.watch(`${configMaps(api)}/a?watch=1`, { until: count(1), only: seen });
    },
    'reports only objects of the namespace': async (api) => {
      const version = await make(api, 'a');
      const other = api.name('other');
      await api.post('/api/v1/namespaces', { metadata: { name: other } }, { quiet: true });
      await api.watch(own(api, `&resourceVersion=${version}`), {
        until: count(1),
        during: async () => {
          await api.post(
            `/api/v1/namespaces/${other}/configmaps`,
            { metadata: { name: 'x', labels: { app: 'x' } } },
            { quiet: true },
          );
          await make(api, 'b');
        },
        only: seen,
      });
    },
    'a streaming list sends the state and then a bookmark': async (api) => {
      await make(api, 'a');
      await make(api, 'b');
      const query = '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
      await api.watch(own(api, query), { until: count(3), bookmarks: true });
      await api.watch(own(api, `${query}&resourceVersion=0`), {
        until: count(3),
        bookmarks: true,
        only: ['type', 'object.metadata.annotations'],
      });
    },
    'a streaming list from a resourceVersion sends the state at this version or later': async (api) => {
      const version = await make(api, 'a');
      const query = `&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=${version}`;
      await api.watch(own(api, query), {
        until: count(2),
        bookmarks: true,
        only: ['type', 'object.metadata.name', 'object.metadata.annotations'],
      });
    },
    'a streaming list without objects sends a bookmark': async (api) => {
      const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
      await api.watch(`/apis/apps/v1/namespaces/${api.namespace}/deployments?${query}`, {
        until: count(1),
        bookmarks: true,
        only: ['type', 'object.kind', 'object.metadata', 'object.status'],
      });
      await install(api, widgets(api));
      await api.watch(`${widgetsOf(api)}?${query}`, { until: count(1), bookmarks: true });
    },
    'a watch with sendInitialEvents sends a bookmark after the state': async (api) => {
      await make(api, 'a');
      await make(api, 'b');
      for (const version of ['', '&resourceVersion=', '&resourceVersion=0']) {
        await api.watch(own(api, `&allowWatchBookmarks=true${version}`), {
          until: count(3),
          bookmarks: true,
          only: ['type', 'object.metadata.annotations'],
        });
      }
    },
    'a watch without initial events begins with the next change': async (api) => {
      await make(api, 'a');
      await api.watch(own(api, '&sendInitialEvents=false&resourceVersionMatch=NotOlderThan'), {
        until: count(1),
        during: () => make(api, 'b'),
        only: seen,
      });
    },
    'rejects invalid options of a streaming list': async (api) => {
      for (const query of [
        'sendInitialEvents=true',
        'sendInitialEvents=true&resourceVersionMatch=Exact',
        'sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=1',
        'sendInitialEvents=false',
        'resourceVersionMatch=NotOlderThan',
        'resourceVersionMatch=NotOlderThan&resourceVersion=1',
        'resourceVersionMatch=Exact&resourceVersion=1',
        'resourceVersionMatch=Never&sendInitialEvents=true',
      ]) {
        await api.watch(`${configMaps(api)}?watch=1&${query}`, { until: count(1) });
      }
    },
    'rejects invalid resourceVersions': async (api) => {
      await api.watch(own(api, '&resourceVersion=x'), { until: count(1) });
      await api.watch(own(api, '&resourceVersion=-1'), { until: count(1) });
      await api.watch(own(api, '&resourceVersion=18446744073709551616'), { until: count(1) });
    },
    'rejects invalid selectors': async (api) => {
      await api.watch(`${configMaps(api)}?watch=1&labelSelector=a%3D%3D%3Db`, { until: count(1) });
      await api.watch(`${configMaps(api)}?watch=1&fieldSelector=data.k%3Dv`, { until: count(1) });
    },
    'rejects invalid timeouts': async (api) => {
      await api.watch(own(api, '&timeoutSeconds=x'), { until: count(1) });
    },
    'ends a watch after its timeout': async (api) => {
      await make(api, 'a');
      await api.watch(own(api, '&timeoutSeconds=1'), { until: () => false, only: seen });
    },
    'rejects a continue token for a watch': async (api) => {
      await make(api, 'a');
      await api.watch(own(api, '&continue=abc'), { until: count(1), only: seen });
      await api.watch(own(api, '&continue=abc&sendInitialEvents=true&resourceVersionMatch=NotOlderThan'), {
        until: count(1),
        only: seen,
      });
    },
    'ignores a limit for a watch': async (api) => {
      await make(api, 'a');
      await make(api, 'b');
      await api.watch(own(api, '&limit=1'), { until: count(2), only: seen });
    },
    'returns 410 Expired for a compacted resourceVersion': async (api) => {
      await install(api, widgets(api));
      const events = await api.watch(`${configMaps(api)}?watch=1&resourceVersion=1`, { until: count(1), quiet: true });
      const [{ type, object }] = events as [
        { type: string; object: { code: number; reason: string; message: string } },
      ];
      if (type !== 'ERROR') return;
      if (
        object.code !== 410 ||
        object.reason !== 'Expired' ||
        !/^too old resource version: 1 \(\d+\)$/.test(object.message)
      ) {
        throw new Error(JSON.stringify(object));
      }
    },
    'returns 404 for a watch of an unknown resource': async (api) => {
      await api.watch(`/api/v1/namespaces/${api.namespace}/nothings?watch=1`, { until: count(1) });
      await api.watch(`/apis/${api.group}/v1/widgets?watch=1`, { until: count(1) });
    },
    'watches custom objects': async (api) => {
      await install(api, widgets(api));
      const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' } };
      await api.watch(`${widgetsOf(api)}?watch=1`, {
        until: count(3),
        during: async () => {
          await api.post(widgetsOf(api), widget, { quiet: true });
          await api.patch(`${widgetsOf(api)}/w`, { spec: { size: 3 } }, { quiet: true });
          await api.delete(`${widgetsOf(api)}/w`, undefined, { quiet: true });
        },
      });
    },
    'reports an object with a finalizer as modified, then as deleted': async (api) => {
      const version = await make(api, 'a');
      await change(api, 'a', { metadata: { finalizers: ['example.com/f'] } });
      await api.watch(own(api, `&resourceVersion=${version}`), {
        until: count(3),
        during: async () => {
          await remove(api, 'a');
          await change(api, 'a', { metadata: { finalizers: null } });
        },
        only: ['type', 'object.metadata'],
      });
    },
    'reports a deleted pod without a node as modified, then as deleted': async (api) => {
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      const pod = {
        metadata: { name: 'p' },
        spec: { schedulerName: 'none', containers: [{ name: 'c', image: 'nginx' }] },
      };
      const { body } = await api.post(pods, pod, { quiet: true });
      await api.watch(
        `${pods}?watch=1&resourceVersion=${body.metadata.resourceVersion}&fieldSelector=spec.nodeName%3D`,
        {
          until: count(2),
          during: () => api.delete(`${pods}/p`, undefined, { quiet: true }),
          only: [
            'type',
            'object.metadata.deletionGracePeriodSeconds',
            'object.metadata.generation',
            'object.metadata.deletionTimestamp',
          ],
        },
      );
    },
    'does not report an update without changes': async (api) => {
      const version = await make(api, 'a');
      await api.watch(own(api, `&resourceVersion=${version}`), {
        until: count(1),
        during: async () => {
          await change(api, 'a', { metadata: { labels: { app: 'x' } } });
          await change(api, 'a', { data: { k: 'v' } });
        },
        only: seen,
      });
    },
    'sends bookmarks with the required fields of the kind': async (api) => {
      const query = '?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
      for (const plural of ['deployments', 'replicasets', 'statefulsets', 'daemonsets', 'controllerrevisions']) {
        const path = `/apis/apps/v1/namespaces/${api.namespace}/${plural}${query}`;
        await api.watch(path, { until: count(1), bookmarks: true });
      }
    },
    'warns about a deprecated kind in a watch': async (api) => {
      const query = '?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
      const path = `/api/v1/namespaces/${api.namespace}/endpoints${query}`;
      await api.watch(path, { until: count(1), bookmarks: true });
    },
    'reports a future resourceVersion as an error event': async (api) => {
      const query = '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=900000000';
      await api.watch(own(api, query), { until: count(1) });
    },
    'reports each object of a deleted collection': async (api) => {
      await make(api, 'a');
      const version = await make(api, 'b');
      const events = await api.watch(own(api, `&resourceVersion=${version}`), {
        until: count(2),
        during: () => api.delete(`${configMaps(api)}?labelSelector=app`, undefined, { quiet: true }),
        quiet: true,
      });
      const names = events.map((event) => (event as { object: { metadata: { name: string } } }).object.metadata.name);
      if (names.toSorted().join() !== 'a,b') throw new Error(names.join());
    },
  },
);
