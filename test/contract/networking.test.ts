import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { compareCells, listOf } from './workload-bodies.js';

const group = 'networking.k8s.io/v1';
const ingresses = (api: ContractApi): string => listOf(api, group, 'ingresses');
const policies = (api: ContractApi): string => listOf(api, group, 'networkpolicies');
const classes = `/apis/${group}/ingressclasses`;
const addresses = `/apis/${group}/ipaddresses`;
const ranges = `/apis/${group}/servicecidrs`;
const slices = (api: ContractApi): string => listOf(api, 'discovery.k8s.io/v1', 'endpointslices');
const metadata = { name: 'a' };
const dry = '?dryRun=All';
const quiet = { quiet: true };
const generation = { only: ['metadata.generation'] };
const backend = { service: { name: 'web', port: { number: 80 } } };
const path = { path: '/', pathType: 'Prefix', backend };
const ingress = (spec: object): object => ({
  metadata,
  spec: { rules: [{ host: 'a.example.com', http: { paths: [path] } }], ...spec },
});
const of = (more: object): object => ingress({ rules: [{ http: { paths: [{ ...path, ...more }] } }] });

contract(
  'networking',
  {},
  {
    'defaults an Ingress': async (api) => {
      await api.post(ingresses(api) + dry, ingress({}));
    },
    'rejects an Ingress without required fields': async (api) => {
      await api.post(ingresses(api), { metadata });
      await api.post(ingresses(api), ingress({ rules: [{ http: {} }, { http: { paths: [{}] } }] }));
    },
    'validates the paths of an Ingress': async (api) => {
      await api.post(ingresses(api), of({ path: 'a' }));
      await api.post(ingresses(api), of({ path: '/a//b/../c/..' }));
      await api.post(ingresses(api), of({ path: '/a%2Fb', pathType: 'Exact' }));
      await api.post(ingresses(api), of({ path: 'a', pathType: 'ImplementationSpecific' }));
      await api.post(ingresses(api), of({ pathType: 'Regex' }));
      await api.post(ingresses(api) + dry, of({ path: '', pathType: 'ImplementationSpecific' }), { only: ['spec'] });
    },
    'validates the backends of an Ingress': async (api) => {
      await api.post(ingresses(api), of({ backend: {} }));
      await api.post(ingresses(api), of({ backend: { service: { name: '', port: {} } } }));
      await api.post(ingresses(api), of({ backend: { service: { name: 'A_b', port: { name: 'a--b', number: 80 } } } }));
      await api.post(ingresses(api), of({ backend: { service: { name: 'a', port: { name: 'a--b-' } } } }));
      await api.post(ingresses(api), of({ backend: { service: { name: 'a', port: { number: 70_000 } } } }));
      await api.post(ingresses(api), of({ backend: { ...backend, resource: { kind: 'A', name: 'b' } } }));
      await api.post(ingresses(api), of({ backend: { resource: { apiGroup: 'A_b', kind: 'a/b', name: '' } } }));
    },
    'validates the hosts of an Ingress': async (api) => {
      for (const host of ['10.0.0.1', 'A.example.com', '*.example.com', 'a.*.com', '*']) {
        await api.post(ingresses(api) + dry, ingress({ rules: [{ host }], defaultBackend: backend }), {
          only: ['spec', 'message', 'details'],
        });
      }
    },
    'validates the TLS settings of an Ingress': async (api) => {
      await api.post(ingresses(api), ingress({ tls: [{ hosts: ['*.a', 'A', 'a.*'], secretName: 'A_b' }] }));
    },
    'validates the class of an Ingress': async (api) => {
      await api.post(ingresses(api), ingress({ ingressClassName: 'A_b' }));
      const annotations = { 'kubernetes.io/ingress.class': 'other' };
      await api.post(ingresses(api), {
        ...ingress({ ingressClassName: 'none-such' }),
        metadata: { name: 'a', annotations },
      });
    },
    'warns about the deprecated class annotation of an Ingress': async (api) => {
      const annotations = { 'kubernetes.io/ingress.class': 'other' };
      await api.post(
        ingresses(api) + dry,
        { ...ingress({}), metadata: { name: 'a', annotations } },
        { only: ['spec'] },
      );
    },
    'increments the generation of an Ingress for changes of its spec': async (api) => {
      await api.post(ingresses(api), ingress({}), generation);
      await api.patch(`${ingresses(api)}/a`, { metadata: { annotations: { a: 'b' } } }, generation);
      await api.patch(`${ingresses(api)}/a`, { spec: { defaultBackend: backend } }, generation);
    },
    'validates the load balancer status of an Ingress': async (api) => {
      await api.post(ingresses(api), ingress({}), quiet);
      const status = (...entries: object[]): object => ({ status: { loadBalancer: { ingress: entries } } });
      await api.patch(`${ingresses(api)}/a/status`, status({ ip: 'x' }, { hostname: '10.0.0.1' }, { hostname: 'A_b' }));
      await api.patch(`${ingresses(api)}/a/status`, status({ ip: '192.0.2.1' }, { hostname: 'b.example.com' }), {
        only: ['status', 'metadata.generation'],
      });
      await compareCells(api, `${ingresses(api)}/a`);
    },
    'returns Ingresses as a table': async (api) => {
      const rules = ['a.b', 'c.d', 'e.f', 'g.h'].map((host) => ({ host, http: { paths: [path] } }));
      await api.post(
        ingresses(api),
        ingress({ rules, tls: [{ hosts: ['a.b'] }], ingressClassName: 'none-such' }),
        quiet,
      );
      await compareCells(api, `${ingresses(api)}/a`);
    },
    'defaults an IngressClass': async (api) => {
      const spec = { controller: 'example.com/c', parameters: { kind: 'A', name: 'b' } };
      await api.post(classes + dry, { metadata: { name: api.name('class') }, spec });
    },
    'rejects an IngressClass without a valid controller': async (api) => {
      await api.post(classes, { metadata });
      await api.post(classes, { metadata, spec: { controller: 'c', parameters: {} } });
      await api.post(classes, {
        metadata,
        spec: { controller: 'A/b c', parameters: { kind: 'a/b', name: 'c%d', apiGroup: 'E_f' } },
      });
    },
    'validates the scope of the parameters of an IngressClass': async (api) => {
      const parameters = { kind: 'A', name: 'b' };
      const controller = 'example.com/c';
      await api.post(classes, { metadata, spec: { controller, parameters: { ...parameters, scope: 'Namespace' } } });
      await api.post(classes, { metadata, spec: { controller, parameters: { ...parameters, namespace: 'x' } } });
      await api.post(classes, { metadata, spec: { controller, parameters: { ...parameters, scope: 'Galaxy' } } });
      await api.post(classes, {
        metadata,
        spec: { controller, parameters: { ...parameters, scope: 'Namespace', namespace: 'A_b' } },
      });
    },
    'rejects a change of the controller of an IngressClass': async (api) => {
      const name = api.name('class');
      await api.post(classes, { metadata: { name }, spec: { controller: 'example.com/c' } }, generation);
      await api.patch(`${classes}/${name}`, { spec: { controller: 'example.com/d' } });
      await api.patch(
        `${classes}/${name}`,
        { spec: { parameters: { kind: 'A', name: 'b', apiGroup: 'x.y' } } },
        generation,
      );
      await compareCells(api, `${classes}/${name}`);
      await api.delete(`${classes}/${name}`, undefined, { only: ['status'] });
    },
    'defaults a NetworkPolicy': async (api) => {
      await api.post(policies(api) + dry, {
        metadata,
        spec: { ingress: [{ ports: [{ port: 80 }, { port: 'web', protocol: 'UDP' }] }] },
      });
      await api.post(policies(api) + dry, { metadata, spec: { podSelector: {}, egress: [{}] } }, { only: ['spec'] });
      await api.post(policies(api) + dry, { metadata }, { only: ['spec'] });
    },
    'validates the ports of a NetworkPolicy': async (api) => {
      const ports = [
        { port: 0 },
        { port: 'a--b' },
        { port: 80, endPort: 79 },
        { port: 'web', endPort: 80 },
        { endPort: 80 },
        { port: 80, protocol: 'ICMP' },
        { port: 80, endPort: 70_000 },
      ];
      await api.post(policies(api), { metadata, spec: { ingress: [{ ports }] } });
    },
    'validates the peers of a NetworkPolicy': async (api) => {
      const block = (cidr: string, ...except: string[]): object => ({ ipBlock: { cidr, except } });
      const from = [{}, { podSelector: { matchLabels: { a: 'b c' } } }, { ...block('10.0.0.0/8'), podSelector: {} }];
      await api.post(policies(api), { metadata, spec: { ingress: [{ from }] } });
      const to = [
        block(''),
        block('x'),
        block('10.0.0.0/8', 'y', '11.0.0.0/16', '10.0.0.0/8', '10.1.0.0/16'),
        block('10.0.0.1/8'),
        block('010.0.0.0/8'),
        block('fd00::/8', 'fd00:1::/32', '10.0.0.0/8'),
      ];
      await api.post(policies(api), { metadata, spec: { egress: [{ to }] } });
    },
    'validates the types of a NetworkPolicy': async (api) => {
      await api.post(policies(api), { metadata, spec: { policyTypes: ['Sideways'] } });
      await api.post(policies(api), { metadata, spec: { policyTypes: ['Ingress', 'Egress', 'Ingress'] } });
    },
    'returns NetworkPolicies as a table, and increments their generation': async (api) => {
      await api.post(policies(api), { metadata, spec: { podSelector: { matchLabels: { a: 'b' } } } }, generation);
      await compareCells(api, `${policies(api)}/a`);
      await api.patch(`${policies(api)}/a`, { spec: { podSelector: { matchLabels: null } } }, generation);
      await compareCells(api, `${policies(api)}/a`);
    },
    'validates the name and the parent of an IPAddress': async (api) => {
      await api.post(addresses, { metadata: { name: 'a' }, spec: { parentRef: { resource: 'services', name: 'a' } } });
      await api.post(addresses, { metadata: { name: '010.1.2.3' }, spec: {} });
      await api.post(addresses, {
        metadata: { name: 'FD00::1' },
        spec: { parentRef: { group: 'A_b', namespace: 'a/b' } },
      });
    },
    'defaults an IPAddress': async (api) => {
      await api.post(addresses + dry, {
        metadata: { name: '192.0.2.77' },
        spec: { parentRef: { group: '', resource: 'services', name: 'a', namespace: 'b' } },
      });
    },
    'validates a ServiceCIDR': async (api) => {
      await api.post(ranges, { metadata: { name: 'a' }, spec: {} });
      await api.post(ranges, { metadata: { name: 'a' }, spec: { cidrs: ['x', '192.0.2.1/24'] } });
      await api.post(ranges, { metadata: { name: 'a' }, spec: { cidrs: ['192.0.2.0/24', '198.51.100.0/24'] } });
      await api.post(ranges, { metadata: { name: 'a' }, spec: { cidrs: ['192.0.2.0/24', 'FD00::/64', 'fd01::/64'] } });
      await api.post(ranges, { metadata: { name: 'a' }, spec: { cidrs: ['FD00::/64'] } });
    },
    'defaults a ServiceCIDR': async (api) => {
      await api.post(ranges + dry, {
        metadata: { name: api.name('range') },
        spec: { cidrs: ['192.0.2.0/24', 'fd00::/64'] },
      });
    },
    'defaults an EndpointSlice': async (api) => {
      await api.post(slices(api) + dry, {
        metadata,
        addressType: 'IPv4',
        endpoints: [{ addresses: ['192.0.2.1'] }],
        ports: [{ port: 80 }],
      });
      await api.post(
        slices(api) + dry,
        { metadata, addressType: 'IPv4', endpoints: [], ports: [] },
        { only: ['ports'] },
      );
    },
    'validates the addresses of an EndpointSlice': async (api) => {
      await api.post(slices(api), { metadata });
      const slice = (addressType: string, ...list: string[]): object => ({
        metadata,
        addressType,
        endpoints: [{ addresses: list }],
        ports: [],
      });
      await api.post(slices(api), slice('IPv5', '192.0.2.1'));
      await api.post(
        slices(api),
        slice('IPv4', 'x', 'fd00::1', '127.0.0.1', '0.0.0.0', '169.254.1.1', '224.0.0.1', '192.0.02.1'),
      );
      await api.post(slices(api), slice('IPv6', 'x', '192.0.2.1', '::1', '::', 'fe80::1', 'FD00::1'));
      await api.post(slices(api), slice('FQDN', 'a', 'A_b.c', ''));
      await api.post(slices(api), slice('IPv4'));
    },
    'validates the ports and hints of an EndpointSlice': async (api) => {
      const ports = [
        { name: 'a' },
        { name: 'a' },
        { name: 'A_b' },
        { name: 'c', protocol: 'ICMP' },
        { name: 'd', appProtocol: 'a b' },
      ];
      const hints = { forZones: [{ name: 'z' }, { name: 'z' }, { name: 'a b' }] };
      const endpoints = [{ addresses: ['192.0.2.1'], hostname: 'A.b', nodeName: 'A_b', hints }];
      await api.post(slices(api), { metadata, addressType: 'IPv4', endpoints, ports });
    },
    'rejects a change of the addressType of an EndpointSlice, and increments its generation': async (api) => {
      const slice = {
        metadata,
        addressType: 'IPv4',
        endpoints: [{ addresses: ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'] }],
        ports: [{ port: 80 }, { name: 'any' }],
      };
      await api.post(slices(api), slice, generation);
      await api.patch(`${slices(api)}/a`, { addressType: 'IPv6', endpoints: [{ addresses: ['fd00::1'] }] });
      await api.patch(`${slices(api)}/a`, { metadata: { annotations: { a: 'b' } } }, generation);
      await api.patch(`${slices(api)}/a`, { metadata: { labels: { a: 'b' } } }, generation);
      await api.patch(`${slices(api)}/a`, { ports: [{ port: 81 }] }, generation);
      await api.put(`${slices(api)}/a`, slice, generation);
      await compareCells(api, `${slices(api)}/a`);
    },
  },
);
