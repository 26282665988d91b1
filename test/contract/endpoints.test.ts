import { as } from './acting.js';
import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { install, statusAndScale, version, widgets, widgetsOf } from './custom-kinds.js';
import { pod } from './pod-bodies.js';

const configMaps = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/configmaps`;
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const short = ['code', 'reason', 'message', 'kind', 'details'];
const accepting = (accept: string): { headers: { accept: string } } => ({ headers: { accept } });

/** The metrics that both servers have. */
const metrics = [
  'apiserver_request_total',
  'apiserver_request_duration_seconds',
  'apiserver_longrunning_requests',
  'apiserver_current_inflight_requests',
  'apiserver_watch_events_total',
  'apiserver_watch_events_sizes',
  'apiserver_storage_objects',
  'apiserver_resource_objects',
  'kubernetes_build_info',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_start_time_seconds',
];

/** Returns the type of each known metric, and the names of its labels. */
function familiesIn(text: string): Readonly<Record<string, object>> {
  return Object.fromEntries(
    metrics.map((name) => {
      const type = new RegExp(`^# TYPE ${name} (\\w+)$`, 'm').exec(text)?.[1];
      const series = new RegExp(`^${name}(?:_count)?(?:\\{(.*)\\})? \\S+$`, 'm').exec(text);
      const labels = [...(series?.[1] ?? '').matchAll(/(\w+)="/g)].map(([, label = '']) => label).toSorted();
      return [name, { type, labels }];
    }),
  );
}

/** Returns the value of a series with the given labels, or 0 if there is none. */
function valueOf(text: string, name: string, labels: Readonly<Record<string, string>>): number {
  const line = text
    .split('\n')
    .find(
      (each) =>
        each.startsWith(`${name}{`) &&
        Object.entries(labels).every(([label, value]) => each.includes(`${label}="${value}"`)),
    );
  return Number(line?.slice(line.lastIndexOf(' ') + 1) ?? 0);
}

/** Returns the increase of a counter during an action. */
async function increase(
  api: ContractApi,
  { name, labels, during }: { name: string; labels: Readonly<Record<string, string>>; during: () => Promise<unknown> },
): Promise<number> {
  const read = async (): Promise<number> => {
    const { body } = await api.get('/metrics', { quiet: true });
    return valueOf(String(body), name, labels);
  };
  const before = await read();
  await during();
  return (await read()) - before;
}

contract(
  'endpoints',
  {},
  {
    'lists the health checks': async (api) => {
      for (const path of ['/livez', '/readyz', '/healthz']) {
        await api.get(path);
        await api.get(`${path}?verbose`);
        await api.get(`${path}?verbose=false&exclude=etcd&exclude=nothing`);
        await api.get(`${path}?exclude=etcd`);
      }
    },
    'returns individual health checks': async (api) => {
      for (const path of [
        '/livez/ping',
        '/livez/etcd',
        '/readyz/log',
        '/readyz/informer-sync',
        '/livez/informer-sync',
        '/healthz/nothing',
        '/readyz/shutdown?verbose',
      ])
        await api.get(path, { showHeaders: ['x-content-type-options'] });
    },
    'returns the health checks of hooks that run after the start': async (api) => {
      for (const name of [
        'rbac/bootstrap-roles',
        'crd-informer-synced',
        'scheduling/bootstrap-system-priority-classes',
        'start-system-namespaces-controller',
        'nothing',
      ])
        await api.get(`/readyz/poststarthook/${name}`);
    },
    'accepts all methods for health checks': async (api) => {
      for (const method of ['HEAD', 'POST', 'DELETE']) await api.request(method, '/livez', {});
      await api.get('/livez', accepting('text/html'));
    },
    'authorizes health checks and metrics': async (api) => {
      await api.get('/livez', as('system:anonymous', { group: 'system:unauthenticated' }));
      await api.get('/metrics', as('nobody', { only: short }));
      await api.get('/metrics/nothing', { only: short });
      await api.get('/version', as('system:anonymous', { group: 'system:unauthenticated', only: ['major'] }));
    },
    'returns metrics with their types and labels': async (api) => {
      await api.watch(`${configMaps(api)}?watch=1`, { quiet: true, until: (events) => events.length > 0 });
      const { status, headers, body } = await api.get('/metrics', { quiet: true });
      api.received('GET /metrics', {
        status,
        contentType: headers['content-type'],
        families: familiesIn(String(body)),
      });
    },
    'counts requests by verb, resource, scope and status': async (api) => {
      await install(api, widgets(api));
      const labels = { group: api.group, version: 'v1', resource: 'widgets', component: 'apiserver' };
      const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
      const quiet = { quiet: true };
      const path = `${widgetsOf(api)}/w`;
      const actions: Readonly<Record<string, readonly [object, () => Promise<unknown>]>> = {
        create: [
          { verb: 'POST', scope: 'resource', code: '201', dry_run: '' },
          () => api.post(widgetsOf(api), widget, quiet),
        ],
        'dry run': [
          { verb: 'POST', code: '201', dry_run: 'All' },
          () => api.post(`${widgetsOf(api)}?dryRun=All`, { ...widget, metadata: { name: 'x' } }, quiet),
        ],
        patch: [{ verb: 'PATCH', scope: 'resource', code: '200' }, () => api.patch(path, { spec: { size: 2 } }, quiet)],
        apply: [
          { verb: 'APPLY', scope: 'resource', code: '200' },
          () =>
            api.patch(`${path}?fieldManager=m&force=true`, JSON.stringify(widget), {
              ...quiet,
              type: 'application/apply-patch+yaml',
            }),
        ],
        get: [{ verb: 'GET', scope: 'resource', code: '200' }, () => api.get(path, quiet)],
        missing: [{ verb: 'GET', scope: 'resource', code: '404' }, () => api.get(`${path}x`, quiet)],
        list: [{ verb: 'LIST', scope: 'namespace', code: '200' }, () => api.get(widgetsOf(api), quiet)],
        'list of all namespaces': [
          { verb: 'LIST', scope: 'cluster', code: '200' },
          () => api.get(`/apis/${api.group}/v1/widgets`, quiet),
        ],
        watch: [
          { verb: 'WATCH', scope: 'namespace', code: '200' },
          () => api.watch(`${widgetsOf(api)}?watch=1&timeoutSeconds=1`, { quiet: true, until: () => false }),
        ],
        deletecollection: [
          { verb: 'DELETE', scope: 'namespace', code: '200' },
          () => api.delete(widgetsOf(api), undefined, quiet),
        ],
      };
      const counts: Record<string, number> = {};
      for (const [title, [more, during]] of Object.entries(actions)) {
        counts[title] = await increase(api, {
          name: 'apiserver_request_total',
          labels: { ...labels, ...more },
          during,
        });
      }
      api.received('increases of apiserver_request_total', counts);
    },
    'counts watch events': async (api) => {
      await install(api, widgets(api));
      const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
      const labels = { group: api.group, version: 'v1', resource: 'widgets' };
      const events = await increase(api, {
        name: 'apiserver_watch_events_total',
        labels,
        during: async () => {
          await api.post(widgetsOf(api), widget, { quiet: true });
          await api.watch(`${widgetsOf(api)}?watch=1`, { quiet: true, until: ({ length }) => length === 1 });
        },
      });
      // Controllers of a real server can watch the new kind, too.
      api.received('whether watch events are counted', events > 0);
    },
    'counts health checks by their path': async (api) => {
      const labels = { verb: 'GET', subresource: '/livez', code: '200', group: '', resource: '' };
      const count = await increase(api, {
        name: 'apiserver_request_total',
        labels,
        during: () => api.get('/livez', { quiet: true }),
      });
      api.received('whether /livez is counted', count > 0);
    },
    'does not count requests of rejected users or for unknown resources': async (api) => {
      const name = 'apiserver_request_total';
      const rejected = await increase(api, {
        name,
        labels: { resource: 'configmaps', code: '403' },
        during: () => api.get(configMaps(api), as('nobody', { quiet: true })),
      });
      const unknown = await increase(api, {
        name,
        labels: { resource: 'nothings' },
        during: () => api.get(`/api/v1/namespaces/${api.namespace}/nothings`, { quiet: true }),
      });
      api.received('increases', { rejected, unknown });
    },
    'returns the statuses of components': async (api) => {
      await api.get('/api/v1/componentstatuses/nothing');
      const { body } = await api.get('/api/v1/componentstatuses', { only: ['apiVersion', 'kind', 'metadata'] });
      const items = body.items as readonly { metadata: { name: string }; conditions: readonly { type: string }[] }[];
      const shown = items.map(({ metadata, conditions }) => `${JSON.stringify(metadata)} ${conditions[0]?.type}`);
      api.received('the components', shown.toSorted());
      await api.get('/api/v1/componentstatuses/etcd-0', {
        only: ['apiVersion', 'kind', 'metadata', 'conditions.*.type', 'conditions.*.status', 'conditions.*.message'],
      });
      await api.get('/api/v1/componentstatuses?labelSelector=a%3Db', { only: ['items', 'kind'] });
      await api.get('/api/v1/componentstatuses?fieldSelector=metadata.name%3Detcd-0', {
        only: ['items.*.metadata.name', 'message'],
      });
      await api.get('/api/v1/componentstatuses?watch=1', { only: short });
      await api.post('/api/v1/componentstatuses', {}, { only: short });
      await api.delete('/api/v1/componentstatuses/etcd-0', undefined, { only: short });
    },
    'returns the statuses of components as a table': async (api) => {
      await api.get('/api/v1/componentstatuses', { ...accepting(table), only: ['kind', 'columnDefinitions'] });
      await api.get('/api/v1/componentstatuses/etcd-0', {
        ...accepting(table),
        only: ['kind', 'rows.*.cells', 'rows.*.object.metadata.name'],
      });
    },
    'rejects tables of reviews': async (api) => {
      const pods = { verb: 'get', resource: 'pods' };
      const authorization = '/apis/authorization.k8s.io/v1';
      const options = { ...accepting(table), only: short };
      await api.post(`${authorization}/selfsubjectaccessreviews`, { spec: { resourceAttributes: pods } }, options);
      await api.post(
        `${authorization}/subjectaccessreviews`,
        { spec: { user: 'a', resourceAttributes: pods } },
        options,
      );
      await api.post(`${authorization}/selfsubjectrulesreviews`, { spec: { namespace: 'default' } }, options);
      await api.post(`${authorization}/namespaces/${api.namespace}/localsubjectaccessreviews`, {}, options);
      await api.post('/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: 'x' } }, options);
      await api.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, options);
    },
    'accepts JSON instead of a table of a review': async (api) => {
      const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
      const spec = { resourceAttributes: { verb: 'get', resource: 'pods' } };
      await api.post(path, { spec }, { ...accepting(`${table},application/json`), only: ['kind'] });
    },
    'returns or rejects tables of subresources': async (api) => {
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      await api.post(pods, pod('a'), { quiet: true });
      const options = { ...accepting(table), only: [...short, 'columnDefinitions.*.name'] };
      await api.patch(`${pods}/a/status`, { status: { message: 'x' } }, options);
      await api.get(`${pods}/a/ephemeralcontainers`, options);
      await api.post(`${pods}/a/eviction?dryRun=All`, { metadata: { name: 'a' } }, options);
      await api.post(`${pods}/a/binding?dryRun=All`, { target: { name: 'node' } }, options);
      await api.post(
        `/api/v1/namespaces/${api.namespace}/bindings?dryRun=All`,
        { metadata: { name: 'a' }, target: { name: 'n' } },
        options,
      );
      await api.post(`/api/v1/namespaces/${api.namespace}/serviceaccounts/default/token`, { spec: {} }, options);
    },
    'returns or rejects tables of a Scale': async (api) => {
      const selector = { matchLabels: { app: 'a' } };
      const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
      const path = `/apis/apps/v1/namespaces/${api.namespace}/deployments`;
      await api.post(path, { metadata: { name: 'a' }, spec: { replicas: 0, selector, template } }, { quiet: true });
      await api.get(`${path}/a/scale`, { ...accepting(table), only: [...short, 'columnDefinitions.*.name'] });
      await api.get(`${path}/a/status`, { ...accepting(table), only: [...short, 'columnDefinitions.*.name'] });
    },
    'returns tables and metadata of the Scale of a custom object': async (api) => {
      await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
      const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
      await api.post(widgetsOf(api), widget, { quiet: true });
      const path = `${widgetsOf(api)}/w/scale`;
      await api.get(path, { ...accepting(table), only: [...short, 'columnDefinitions.*.name', 'rows.*.cells.1'] });
      const partial = table.replace('Table', 'PartialObjectMetadata');
      await api.get(path, { ...accepting(partial), only: ['kind', 'metadata.name', 'spec', 'code'] });
      await api.get(path, { ...accepting('application/vnd.kubernetes.protobuf'), only: short });
    },
    'rejects invalid timeouts': async (api) => {
      const only = ['code', 'reason', 'message', 'kind'];
      for (const timeout of ['x', '1', '-1s', '1h', '0s', '1.5s', '1s2', '99999h', '10m'])
        await api.get(`${configMaps(api)}?timeout=${timeout}`, { only });
      await api.post(`${configMaps(api)}?timeout=x`, { metadata: { name: 'a' } }, { only });
      await api.get('/livez?timeout=x', { only });
      await api.get('/version?timeout=x', { only: ['major', ...only] });
    },
    'rejects invalid options of a list': async (api) => {
      const only = ['code', 'reason', 'message', 'kind'];
      for (const query of [
        'timeoutSeconds=x',
        'timeoutSeconds=-1&limit=1',
        'limit=-1',
        'limit=1.5',
        'limit=99999999999999999999',
        'resourceVersion=x',
        'resourceVersion=-1',
        'resourceVersionMatch=Exact',
        'resourceVersionMatch=x&resourceVersion=1',
        'allowWatchBookmarks=x&limit=1',
        'continue=x&resourceVersionMatch=Exact',
        'sendInitialEvents=x',
        'labelSelector=a%3D%3D%3Db',
        'fieldSelector=a',
      ])
        await api.get(`${configMaps(api)}?${query}`, { only });
    },
    'rejects invalid options of a deletion': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      const only = ['code', 'reason', 'message', 'kind', 'status'];
      for (const query of [
        'gracePeriodSeconds=x',
        'gracePeriodSeconds=-1',
        'propagationPolicy=x',
        'orphanDependents=x&dryRun=All',
        'dryRun=x',
        'propagationPolicy=Orphan&orphanDependents=true',
        'timeout=x',
      ])
        await api.delete(`${configMaps(api)}/a?${query}`, undefined, { only });
    },
    'returns the OpenID documents': async (api) => {
      await api.get('/openid/v1/jwks', {
        only: ['keys.*.use', 'keys.*.kty', 'message'],
        showHeaders: ['cache-control'],
      });
      await api.get('/.well-known/openid-configuration', {
        only: ['response_types_supported', 'subject_types_supported', 'jwks_uri'],
        showHeaders: ['cache-control'],
      });
    },
    'returns the version of the server': async (api) => {
      await api.get('/version', {
        only: ['major', 'minor', 'emulationMajor', 'emulationMinor'],
        showHeaders: ['cache-control'],
      });
      await api.get('/version/', { only: ['major', 'minor'] });
      await api.request('HEAD', '/version', {});
      await api.get('/version/x', { only: short });
    },
  },
);
