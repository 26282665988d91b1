import { as } from './acting.js';
import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { container, pod } from './pod-bodies.js';

const pods = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/pods`;
const services = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/services`;
const quiet = { quiet: true };

/** Creates a Pod with an address that documentation reserves. The cases do not connect to the address. */
async function addressed(api: ContractApi, ip = '192.0.2.1'): Promise<string> {
  await api.post(pods(api), pod('a', { containers: [container({ ports: [{ containerPort: 80 }] })] }), quiet);
  await api.patch(`${pods(api)}/a/status`, { status: { podIP: ip, podIPs: [{ ip }] } }, quiet);
  return `${pods(api)}/a`;
}

contract(
  'proxies',
  {},
  {
    'returns 404 for the proxy of an absent object': async (api) => {
      await api.get(`${pods(api)}/none/proxy/`);
      await api.get(`${pods(api)}/http:none:80/proxy/a`);
      await api.get(`${services(api)}/none/proxy/`);
      await api.get(`${services(api)}/none:80/proxy/`);
      await api.get('/api/v1/nodes/none/proxy/');
    },
    'rejects invalid schemes, names and ports in the path of a proxy': async (api) => {
      for (const name of ['a:b:c:d', 'ftp:a:80', ':80', 'http::80']) {
        await api.get(`${pods(api)}/${name}/proxy/`);
        await api.get(`${services(api)}/${name}/proxy/`);
        await api.get(`/api/v1/nodes/${name}/proxy/`);
      }
    },
    'rejects the proxy of a Pod without an address': async (api) => {
      await api.post(pods(api), pod('a'), quiet);
      await api.get(`${pods(api)}/a/proxy/`);
      await api.post(`${pods(api)}/a:80/proxy/x`, 'body', { type: 'text/plain' });
    },
    'rejects the proxy of a Pod with a forbidden address': async (api) => {
      await addressed(api, '169.254.0.1');
      await api.get(`${pods(api)}/a/proxy/`);
    },
    'redirects the proxy of a Pod to a path with a slash': async (api) => {
      const path = await addressed(api);
      await api.get(`${path}/proxy`);
      await api.get(`${path}/proxy?x=1&y=%20`);
      await api.request('HEAD', `${path}:8080/proxy`, {});
    },
    'returns 503 for the proxy of a Service without endpoints': async (api) => {
      const ports = [{ name: 'web', port: 80 }];
      await api.post(services(api), { metadata: { name: 's' }, spec: { ports } }, quiet);
      await api.post(`/api/v1/namespaces/${api.namespace}/endpoints`, { metadata: { name: 's' } }, quiet);
      for (const name of ['s', 's:80', 's:web', 's:81', 'https:s:web', 's:none'])
        await api.get(`${services(api)}/${name}/proxy/`);
    },
    'returns 503 for the proxy of a Service whose endpoints are not Pods': async (api) => {
      const ports = [{ name: 'web', port: 80 }];
      await api.post(services(api), { metadata: { name: 's' }, spec: { ports } }, quiet);
      const subsets = [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ name: 'web', port: 8080 }] }];
      await api.post(`/api/v1/namespaces/${api.namespace}/endpoints`, { metadata: { name: 's' }, subsets }, quiet);
      for (const name of ['s', 's:80', 's:web', 's:8080']) await api.get(`${services(api)}/${name}/proxy/`);
    },
    'redirects the proxy of a Service to a path with a slash': async (api) => {
      await addressed(api);
      const ports = [{ name: 'web', port: 80 }];
      await api.post(services(api), { metadata: { name: 's' }, spec: { ports } }, quiet);
      const targetRef = { kind: 'Pod', namespace: api.namespace, name: 'a' };
      const subsets = [{ addresses: [{ ip: '192.0.2.1', targetRef }], ports: [{ name: 'web', port: 8080 }] }];
      await api.post(`/api/v1/namespaces/${api.namespace}/endpoints`, { metadata: { name: 's' }, subsets }, quiet);
      await api.get(`${services(api)}/s:web/proxy`);
    },
    'requires the permission for the verb that belongs to the method of a proxy request': async (api) => {
      await addressed(api);
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
        await api.request(method, `${pods(api)}/a/proxy/x`, as('nobody'));
      await api.get(`${services(api)}/s:80/proxy/x`, as('nobody'));
      await api.get('/api/v1/nodes/n/proxy/metrics', as('nobody'));
    },
    'returns the errors of a proxy in the accepted format': async (api) => {
      await api.get(`${pods(api)}/none/proxy/`, { headers: { accept: 'application/vnd.kubernetes.protobuf' } });
      await api.get(`${pods(api)}/none/proxy/`, { headers: { accept: 'text/html' } });
      await api.get(`${pods(api)}/none/proxy/`, { headers: { accept: 'application/yaml' } });
    },
  },
);
