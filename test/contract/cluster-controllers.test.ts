import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import type { Json } from './json.js';
import { eventOf, paths, reasonOf } from './workload-steps.js';

const quiet = { quiet: true };
const isNotFound = ({ status }: { status: number }): boolean => status === 404;
const services = (api: ContractApi): string => paths.core(api, 'services');
const endpoints = (api: ContractApi): string => paths.core(api, 'endpoints');
const slices = (api: ContractApi): string => `/apis/discovery.k8s.io/v1/namespaces/${api.namespace}/endpointslices`;
const signingRequests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const flowSchemas = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
const tokens = '/api/v1/namespaces/kube-system/secrets';

const sliceFields = {
  only: [
    'items.*.metadata.labels',
    'items.*.metadata.annotations',
    'items.*.metadata.ownerReferences',
    'items.*.metadata.generateName',
    'items.*.addressType',
    'items.*.endpoints',
    'items.*.ports',
  ],
};

/** A certificate request for the user contract-user in the group contract-group. */
const userRequest =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIc01JR1RBZ0VBTURFeEZqQVVCZ05WQkFNTURXTnZiblJ5WVdOMExYVnpaWEl4RnpBVkJnTlZCQW9NRG1OdgpiblJ5WVdOMExXZHliM1Z3TUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFL21lODlrRzdFNTVVCkRZaU5aeUNYc1ZLRmluRG5LRTM5TDFlRi92QW51c3crbkVCWkhtaU0wb2oyRjFvRnVGdnZsZGRKeldBNFoxS2QKOTMrU0RUL2laNkFBTUFvR0NDcUdTTTQ5QkFNQ0EwZ0FNRVVDSVFEa05VOEZ2MnBnZ3U0TjZnZUo5T0dabW9kbApOMlpaSnZDRmQ0OWcvdlhqaUFJZ0lGSWV6N2dHaG1tTURIckc4RGdYZXhvalJLQm0zU2tNaHlGNmFaYi9URmc9Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';
/** A certificate request for the kubelet of the node contract. */
const kubeletRequest =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIeE1JR1lBZ0VBTURZeEZUQVRCZ05WQkFvTURITjVjM1JsYlRwdWIyUmxjekVkTUJzR0ExVUVBd3dVYzNsegpkR1Z0T201dlpHVTZZMjl1ZEhKaFkzUXdXVEFUQmdjcWhrak9QUUlCQmdncWhrak9QUU1CQndOQ0FBVElENnFWClBoNVRSU3liZ3B2aVE5VVMyS213Y0ZGcGRYQjFGZFJyeHpxSk1HOGJYdkZJWjZMa3hvVitmclA2bjFxbVFOUE0KNC8reVI0TWJVRE5Eem1wN29BQXdDZ1lJS29aSXpqMEVBd0lEU0FBd1JRSWhBSkdjYjVZam1PdGYrL3dxL0lTOQpFa1JFcjdKY096Z0FHMUVqTWxXeUh2b0xBaUJ1cmNyaVRoSjkzYzRyVFhhR2k3V0xiU0o1cXFuYzNZWlFHVHpmClplVm9vUT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';
const conditions = { only: ['status.conditions'] };

/** Creates a Service without a selector, and Endpoints with its name. */
async function mirrored(api: ContractApi, metadata: object, subsets: readonly object[]): Promise<void> {
  await api.post(services(api), { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } }, quiet);
  await api.post(endpoints(api), { metadata: { name: 'web', ...metadata }, subsets }, quiet);
}

/** Creates a certificate request, and approves the request. Returns its path. */
async function approved(api: ContractApi, spec: object): Promise<string> {
  const path = `${signingRequests}/${api.name('request')}`;
  const metadata = { name: path.split('/').at(-1) };
  const { body } = await api.post(signingRequests, { metadata, spec }, quiet);
  const condition = { type: 'Approved', status: 'True', reason: 'Test', message: 'approved by the test' };
  await api.put(`${path}/approval`, { ...body, status: { conditions: [condition] } }, quiet);
  return path;
}

/** Creates an APIService for a Service, waits for its condition, and compares the condition. */
async function availability(api: ContractApi, reason: string, service: object): Promise<void> {
  const metadata = { name: `v1.${api.group}` };
  const spec = {
    group: api.group,
    version: 'v1',
    groupPriorityMinimum: 10,
    versionPriority: 10,
    insecureSkipTLSVerify: true,
    service,
  };
  await api.post(apiServices, { metadata, spec }, quiet);
  await api.until(`${apiServices}/${metadata.name}`, ({ body }) => reasonOf(body, 'Available', 'False') === reason);
  await api.get(`${apiServices}/${metadata.name}`, { only: ['status'] });
}

contract(
  'cluster-controllers',
  { workloads: true },
  {
    'mirrors Endpoints of a Service without a selector': async (api) => {
      const annotations = { note: 'n', 'endpoints.kubernetes.io/last-change-trigger-time': '2026-01-01T00:00:00Z' };
      await mirrored(api, { labels: { l: 'v' }, annotations }, [
        { addresses: [{ ip: '192.0.2.7', hostname: 'h', nodeName: 'n' }], ports: [{ name: 'http', port: 8080 }] },
      ]);
      await api.until(slices(api), ({ body }) => body.items.length === 1);
      await api.get(slices(api), sliceFields);
    },
    'updates a mirrored slice with its Endpoints': async (api) => {
      const ports = [{ port: 8080, protocol: 'UDP', appProtocol: 'example.com/odd' }];
      await mirrored(api, {}, [{ notReadyAddresses: [{ ip: '192.0.2.7' }], ports }]);
      await api.until(slices(api), ({ body }) => body.items.length === 1);
      await api.get(slices(api), sliceFields);
      await api.patch(`${endpoints(api)}/web`, { subsets: [{ addresses: [{ ip: '192.0.2.7' }], ports }] }, quiet);
      await api.until(slices(api), ({ body }) => body.items[0].endpoints[0].conditions.ready === true);
      await api.get(slices(api), sliceFields);
    },
    'mirrors addresses of both families without ports': async (api) => {
      await mirrored(api, {}, [{ addresses: [{ ip: '192.0.2.7' }, { ip: '2001:db8::7' }] }]);
      await api.until(slices(api), ({ body }) => body.items.length === 2);
      for (const type of ['IPv4', 'IPv6']) {
        const { body } = await api.get(slices(api), quiet);
        const [slice] = body.items.filter(({ addressType }: Json) => addressType === type);
        api.mask(slice.metadata.name, `<${type}>`);
        await api.get(`${slices(api)}/${slice.metadata.name}`, { only: ['endpoints', 'ports', 'addressType'] });
      }
    },
    'does not mirror Endpoints with the label skip-mirror': async (api) => {
      await mirrored(api, {}, [{ addresses: [{ ip: '192.0.2.7' }], ports: [{ port: 1 }] }]);
      await api.until(slices(api), ({ body }) => body.items.length === 1);
      const labels = { 'endpointslice.kubernetes.io/skip-mirror': 'true' };
      await api.patch(`${endpoints(api)}/web`, { metadata: { labels } }, quiet);
      await api.until(slices(api), ({ body }) => body.items.length === 0);
    },
    'deletes mirrored slices with their Endpoints': async (api) => {
      await mirrored(api, {}, [{ addresses: [{ ip: '192.0.2.7' }], ports: [{ port: 1 }] }]);
      await api.until(slices(api), ({ body }) => body.items.length === 1);
      await api.delete(`${endpoints(api)}/web`, undefined, quiet);
      await api.until(slices(api), ({ body }) => body.items.length === 0);
    },
    'the Service default/kubernetes has Endpoints and an EndpointSlice': async (api) => {
      await api.get('/api/v1/namespaces/default/endpoints/kubernetes', {
        only: ['metadata.labels', 'subsets.*.addresses', 'subsets.*.ports.*.name', 'subsets.*.ports.*.protocol'],
      });
      await api.get('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes', {
        only: ['metadata.labels', 'addressType', 'endpoints', 'ports.*.name', 'ports.*.protocol'],
      });
    },
    'signs an approved client certificate': async (api) => {
      const path = await approved(api, {
        signerName: 'kubernetes.io/kube-apiserver-client',
        request: userRequest,
        usages: ['client auth', 'digital signature'],
        expirationSeconds: 3600,
      });
      await api.until(path, ({ body }) => body.status.certificate !== undefined);
      await api.get(path, conditions);
    },
    'refuses to sign a certificate with other usages': async (api) => {
      const usages = [['server auth'], ['digital signature']];
      for (const each of usages) {
        const path = await approved(api, {
          signerName: 'kubernetes.io/kube-apiserver-client',
          request: userRequest,
          usages: each,
        });
        await api.until(path, ({ body }) => reasonOf(body, 'Failed') !== undefined);
        await api.get(path, conditions);
      }
    },
    'refuses to sign a certificate of a kubelet with another subject or other usages': async (api) => {
      const cases = [
        ['kubernetes.io/kube-apiserver-client-kubelet', userRequest, ['client auth', 'digital signature']],
        ['kubernetes.io/kube-apiserver-client-kubelet', kubeletRequest, ['server auth', 'digital signature']],
        ['kubernetes.io/kubelet-serving', kubeletRequest, ['server auth', 'digital signature']],
      ] as const;
      for (const [signerName, request, usages] of cases) {
        const path = await approved(api, { signerName, request, usages });
        await api.until(path, ({ body }) => reasonOf(body, 'Failed') !== undefined);
        await api.get(path, conditions);
      }
    },
    'does not sign for an unknown signer': async (api) => {
      const path = await approved(api, {
        signerName: 'example.com/odd',
        request: userRequest,
        usages: ['client auth'],
      });
      const other = await approved(api, {
        signerName: 'kubernetes.io/kube-apiserver-client',
        request: userRequest,
        usages: ['client auth'],
      });
      await api.until(other, ({ body }) => body.status.certificate !== undefined);
      await api.get(path, { only: ['status'] });
    },
    'approves and signs a client certificate of a kubelet': async (api) => {
      const name = api.name('request');
      const spec = {
        signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
        request: kubeletRequest,
        usages: ['client auth', 'digital signature', 'key encipherment'],
      };
      await api.post(signingRequests, { metadata: { name }, spec }, quiet);
      await api.until(`${signingRequests}/${name}`, ({ body }) => body.status.certificate !== undefined);
      await api.get(`${signingRequests}/${name}`, conditions);
    },
    'deletes expired bootstrap tokens': async (api) => {
      const token = (id: string, expiration: string): object => ({
        metadata: { name: `bootstrap-token-${id}` },
        type: 'bootstrap.kubernetes.io/token',
        stringData: { 'token-id': id, 'token-secret': 'f395accd246ae52d', expiration },
      });
      await api.post(tokens, token('kwexp1', '2020-01-01T00:00:00Z'), quiet);
      await api.post(tokens, token('kwexp2', 'soon'), quiet);
      await api.post(tokens, token('kwexp3', '2999-01-01T00:00:00Z'), quiet);
      for (const id of ['kwexp1', 'kwexp2']) await api.until(`${tokens}/bootstrap-token-${id}`, isNotFound);
      await api.get(`${tokens}/bootstrap-token-kwexp3`, { only: ['type', 'data'] });
    },
    'signs the cluster information with bootstrap tokens': async (api) => {
      const path = '/api/v1/namespaces/kube-public/configmaps';
      await api.post(path, { metadata: { name: 'cluster-info' }, data: { kubeconfig: 'test', other: 'kept' } }, quiet);
      const token = {
        metadata: { name: 'bootstrap-token-kwsgn1' },
        type: 'bootstrap.kubernetes.io/token',
        stringData: {
          'token-id': 'kwsgn1',
          'token-secret': 'f395accd246ae52d',
          'usage-bootstrap-signing': 'true',
        },
      };
      await api.post(tokens, token, quiet);
      const isSigned = ({ body }: { body: Json }): boolean => body.data['jws-kubeconfig-kwsgn1'] !== undefined;
      await api.until(`${path}/cluster-info`, isSigned);
      await api.get(`${path}/cluster-info`, { only: ['data'] });
      await api.delete(`${tokens}/bootstrap-token-kwsgn1`, undefined, quiet);
      await api.until(`${path}/cluster-info`, (answer) => !isSigned(answer));
      await api.get(`${path}/cluster-info`, { only: ['data'] });
    },
    'a quota limits the devices of a DeviceClass': async (api) => {
      const quotas = paths.core(api, 'resourcequotas');
      const hard = { 'gpu.deviceclass.resource.k8s.io/devices': '3' };
      await api.post(quotas, { metadata: { name: 'devices' }, spec: { hard } }, quiet);
      await api.until(`${quotas}/devices`, ({ body }) => body.status.used !== undefined);
      const claims = `/apis/resource.k8s.io/v1/namespaces/${api.namespace}/resourceclaims`;
      const claim = (name: string, count: number): object => ({
        metadata: { name },
        spec: {
          devices: {
            requests: [{ name: 'r', exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count } }],
          },
        },
      });
      await api.post(claims, claim('a', 2), { only: ['spec'] });
      await api.until(`${quotas}/devices`, ({ body }) => Object.values(body.status.used).includes('2'));
      await api.get(`${quotas}/devices`, { only: ['status'] });
      await api.post(claims, claim('b', 2));
      const all = [{ name: 'r', exactly: { deviceClassName: 'gpu', allocationMode: 'All' } }];
      await api.post(claims, { metadata: { name: 'c' }, spec: { devices: { requests: all } } });
      await api.delete(`${claims}/a`, undefined, quiet);
      await api.until(`${quotas}/devices`, ({ body }) => Object.values(body.status.used).includes('0'));
    },
    'reports FlowSchemas without a PriorityLevelConfiguration': async (api) => {
      const name = api.name('flow');
      const level = api.name('level');
      await api.post(flowSchemas, { metadata: { name }, spec: { priorityLevelConfiguration: { name: level } } }, quiet);
      await api.until(`${flowSchemas}/${name}`, ({ body }) => reasonOf(body, 'Dangling') === 'NotFound');
      await api.get(`${flowSchemas}/${name}`, { only: ['status'] });
      const levels = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations';
      const spec = { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } };
      await api.post(levels, { metadata: { name: level }, spec }, quiet);
      await api.until(`${flowSchemas}/${name}`, ({ body }) => reasonOf(body, 'Dangling', 'False') === 'Found');
      await api.get(`${flowSchemas}/${name}`, { only: ['status'] });
    },
    'an APIService reports a missing Service': async (api) => {
      await availability(api, 'ServiceNotFound', { namespace: api.namespace, name: 'none' });
    },
    'an APIService reports a Service without its port': async (api) => {
      await api.post(services(api), { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } }, quiet);
      await availability(api, 'ServicePortError', { namespace: api.namespace, name: 'web', port: 443 });
    },
    'an APIService reports a Service without EndpointSlices': async (api) => {
      await api.post(services(api), { metadata: { name: 'web' }, spec: { ports: [{ port: 443 }] } }, quiet);
      await availability(api, 'EndpointsNotFound', { namespace: api.namespace, name: 'web' });
    },
    'an APIService reports a Service without ready endpoints': async (api) => {
      const spec = { selector: { app: 'none' }, ports: [{ name: 'https', port: 443 }] };
      await api.post(services(api), { metadata: { name: 'web' }, spec }, quiet);
      await api.until(slices(api), ({ body }) => body.items.length === 1);
      await availability(api, 'MissingEndpoints', { namespace: api.namespace, name: 'web' });
    },
    'evicts Pods that do not tolerate a taint of their node': async (api) => {
      const node = api.name('node');
      await api.post('/api/v1/nodes', { metadata: { name: node } }, quiet);
      const containers = [{ name: 'c', image: 'i' }];
      const pod = (name: string, more: object = {}): object => ({
        metadata: { name },
        spec: { nodeName: node, containers, ...more },
      });
      const tolerations = [{ key: 'mine', operator: 'Exists', effect: 'NoExecute' }];
      const pods = paths.core(api, 'pods');
      await api.post(pods, pod('a'), quiet);
      await api.post(pods, pod('b', { tolerations }), quiet);
      const taints = [{ key: 'mine', value: 'yes', effect: 'NoExecute' }];
      await api.patch(`/api/v1/nodes/${node}`, { spec: { taints } }, quiet);
      await api.until(`${pods}/a`, ({ body }) => body.metadata.deletionTimestamp !== undefined);
      await api.get(`${pods}/a`, { only: ['status.conditions'] });
      await api.get(`${pods}/b`, { only: ['metadata.deletionTimestamp', 'status.conditions'] });
      await eventOf(api, 'a', 'TaintManagerEviction');
      await api.get(`${paths.core(api, 'events')}?fieldSelector=involvedObject.name=a,reason=TaintManagerEviction`, {
        only: ['items.*.message', 'items.*.type', 'items.*.source'],
      });
      await api.delete(`${pods}/a`, { gracePeriodSeconds: 0 }, quiet);
      await api.delete(`${pods}/b`, { gracePeriodSeconds: 0 }, quiet);
    },
    'annotates nodes with the time for which kubelets cache Secrets': async (api) => {
      const node = api.name('node');
      await api.post('/api/v1/nodes', { metadata: { name: node } }, quiet);
      const isAnnotated = ({ body }: { body: Json }): boolean =>
        body.metadata.annotations?.['node.alpha.kubernetes.io/ttl'] !== undefined;
      const { body } = await api.until(`/api/v1/nodes/${node}`, isAnnotated);
      api.mask(body.metadata.name, '<node>');
      await api.get(`/api/v1/nodes/${node}`, { only: ['metadata.annotations'] });
    },
  },
);
