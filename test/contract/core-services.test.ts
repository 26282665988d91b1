import { contract, type ContractCase } from './contract.js';

const ports = [{ port: 80 }];

const refused: Readonly<Record<string, object>> = {
  'needs ports': {},
  'has ports in range, with names when there are more': { ports: [{ port: 0 }, { port: 70_000, name: 'A' }] },
  'names each port once, and has each once': {
    ports: [
      { port: 80, name: 'a' },
      { port: 80, name: 'a' },
    ],
  },
  'speaks known protocols': { ports: [{ port: 80, protocol: 'HTTP', appProtocol: '-', targetPort: 'A_' }] },
  'is of a known type': { type: 'Magic', ports },
  'has no ports of nodes inside the cluster': { ports: [{ port: 80, nodePort: 31_999 }] },
  'has ports of nodes that are for Services': { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] },
  'names something when it is a name': { type: 'ExternalName' },
  'names a domain when it is a name': { type: 'ExternalName', externalName: 'A_b' },
  'has no address when it is a name': { type: 'ExternalName', externalName: 'a.b', clusterIP: '10.96.200.1' },
  'has an address when it opens ports': { type: 'NodePort', clusterIP: 'None', ports },
  'has an address that is one': { clusterIP: 'a', ports },
  'has an address of the cluster': { clusterIP: '192.0.2.1', ports },
  'has addresses that agree': { clusterIP: '10.96.200.2', clusterIPs: ['10.96.200.3'], ports },
  'has none or addresses': { clusterIPs: ['None', '10.96.200.3'], clusterIP: 'None', ports },
  'has families that there are': { ipFamilies: ['IPv5'], ipFamilyPolicy: 'Triple', ports },
  'sticks to clients as there is': { sessionAffinity: 'Love', ports },
  'sticks to clients for a time': {
    sessionAffinity: 'ClientIP',
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 100_000 } },
    ports,
  },
  'has addresses outside that can be reached': { externalIPs: ['127.0.0.1', 'x', '169.254.1.1'], ports },
  'selects by labels': { selector: { 'a b': '-' }, ports },
  'balances only when it is balanced': {
    loadBalancerSourceRanges: ['10.0.0.0/8'],
    allocateLoadBalancerNodePorts: true,
    loadBalancerClass: 'a/b',
    ports,
  },
  'balances what can be': {
    type: 'LoadBalancer',
    loadBalancerSourceRanges: ['10.0.0.0'],
    loadBalancerClass: '-',
    ports,
  },
  'routes what comes from outside only then': { externalTrafficPolicy: 'Local', healthCheckNodePort: 31_998, ports },
  'routes as policies say': {
    type: 'NodePort',
    externalTrafficPolicy: 'Near',
    internalTrafficPolicy: 'Far',
    trafficDistribution: 'Fair',
    ports,
  },
};

const accepted: Readonly<Record<string, object>> = {
  'gets the defaults of a Service': { ports },
  'gets a port on every node': { type: 'NodePort', ports: [{ port: 80, targetPort: 'http', name: 'web' }] },
  'waits for a balancer': { type: 'LoadBalancer', ports },
  'may be balanced without ports of nodes': { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports },
  'may have no address': { clusterIP: 'None', selector: { a: 'b' } },
  'may have no address and select nothing': { clusterIP: 'None', ports },
  'may be a name': { type: 'ExternalName', externalName: 'example.com.' },
  'sticks to clients for three hours': { sessionAffinity: 'ClientIP', ports },
  'drops what is empty': {
    selector: {},
    externalIPs: [],
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } },
    ports,
  },
  'warns of addresses outside': { externalIPs: ['192.0.2.7'], ports },
  'warns of what no address makes useless': {
    clusterIP: 'None',
    loadBalancerIP: '192.0.2.8',
    sessionAffinity: 'ClientIP',
    externalIPs: ['192.0.2.9'],
  },
  'warns of what its type makes useless': { externalName: 'a.b', trafficDistribution: 'PreferClose', ports },
};

const cases = (specs: Readonly<Record<string, object>>): Readonly<Record<string, ContractCase>> =>
  Object.fromEntries(
    Object.entries(specs).map(([title, spec]): readonly [string, ContractCase] => [
      `a Service ${title}`,
      async (api) => {
        const metadata = { name: 'web', namespace: api.namespace };
        await api.post(`/api/v1/namespaces/${api.namespace}/services`, { metadata, spec });
      },
    ]),
  );

contract(
  'core-services',
  {},
  {
    ...cases(refused),
    ...cases(accepted),
    'the name of a Service is a label': async (api) => {
      const services = `/api/v1/namespaces/${api.namespace}/services`;
      await api.post(services, { metadata: { name: 'a.b' }, spec: { ports } });
      await api.post(services, { metadata: { name: '1a' }, spec: { ports } }, { only: ['metadata.name', 'message'] });
      await api.post(services, { metadata: { name: 'A' }, spec: { ports } });
    },
    'the address of a Service is nobody else’s, and stays': async (api) => {
      const services = `/api/v1/namespaces/${api.namespace}/services`;
      const made = await api.post(services, { metadata: { name: 'a' }, spec: { ports } }, { quiet: true });
      const { clusterIP } = (made.body as { spec: { clusterIP: string } }).spec;
      await api.post(services, { metadata: { name: 'b' }, spec: { clusterIP, ports } });
      await api.patch(`${services}/a`, { spec: { clusterIP: '10.96.200.9', clusterIPs: ['10.96.200.9'] } });
      await api.patch(`${services}/a`, { spec: { clusterIP: 'None', clusterIPs: ['None'] } });
      await api.put(`${services}/a`, { metadata: { name: 'a' }, spec: { ports: [{ port: 81 }] } }, { only: ['spec'] });
    },
    'a Service may change its type': async (api) => {
      const services = `/api/v1/namespaces/${api.namespace}/services`;
      await api.post(services, { metadata: { name: 'a' }, spec: { ports } }, { quiet: true });
      const only = ['spec', 'status', 'message'];
      await api.patch(`${services}/a`, { spec: { type: 'NodePort' } }, { only });
      await api.patch(`${services}/a`, { spec: { type: 'LoadBalancer' } }, { only });
      await api.patch(`${services}/a`, { spec: { type: 'ClusterIP' } }, { only });
      await api.patch(`${services}/a`, { spec: { type: 'ExternalName', externalName: 'a.b' } }, { only });
      await api.patch(`${services}/a`, { spec: { type: 'ClusterIP', externalName: null } }, { only });
    },
    'a Service has its health asked for when it is balanced on the node': async (api) => {
      const services = `/api/v1/namespaces/${api.namespace}/services`;
      const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports };
      const made = await api.post(services, { metadata: { name: 'a' }, spec }, { quiet: true });
      const { healthCheckNodePort } = (made.body as { spec: { healthCheckNodePort: number } }).spec;
      await api.patch(`${services}/a`, {
        spec: { healthCheckNodePort: healthCheckNodePort === 31_000 ? 31_001 : 31_000 },
      });
      await api.patch(`${services}/a`, { spec: { externalTrafficPolicy: 'Cluster' } }, { only: ['spec'] });
    },
    'the class of a balancer stays': async (api) => {
      const services = `/api/v1/namespaces/${api.namespace}/services`;
      await api.post(
        services,
        { metadata: { name: 'a' }, spec: { type: 'LoadBalancer', loadBalancerClass: 'a/b', ports } },
        { quiet: true },
      );
      await api.patch(`${services}/a`, { spec: { loadBalancerClass: 'a/c' } });
    },
    'a balancer is told in the status': async (api) => {
      const services = `/api/v1/namespaces/${api.namespace}/services`;
      await api.post(services, { metadata: { name: 'a' }, spec: { type: 'LoadBalancer', ports } }, { quiet: true });
      const status = (ingress: object): object => ({
        spec: { type: 'ClusterIP' },
        status: { loadBalancer: { ingress: [ingress] } },
      });
      await api.patch(`${services}/a/status`, status({ ip: '192.0.2.1' }), { only: ['spec.type', 'status'] });
      await api.patch(`${services}/a/status`, status({ ip: 'x', hostname: '192.0.2.2' }));
      await api.post(services, { metadata: { name: 'b' }, spec: { ports } }, { quiet: true });
      await api.patch(`${services}/b/status`, status({ ip: '192.0.2.1' }));
    },
    'Services are selected by fields': async (api) => {
      const services = `/api/v1/namespaces/${api.namespace}/services`;
      await api.post(services, { metadata: { name: 'a' }, spec: { clusterIP: 'None' } }, { quiet: true });
      await api.post(services, { metadata: { name: 'b' }, spec: { type: 'NodePort', ports } }, { quiet: true });
      for (const field of ['spec.type=NodePort', 'spec.clusterIP=None', 'metadata.name=a', 'spec.selector=x']) {
        await api.get(`${services}?fieldSelector=${encodeURIComponent(field)}`, {
          only: ['items.*.metadata.name', 'message'],
        });
      }
    },
    'the table of Services has all columns': async (api) => {
      const services = `/api/v1/namespaces/${api.namespace}/services`;
      await api.post(
        services,
        { metadata: { name: 'a' }, spec: { clusterIP: 'None', selector: { b: '2', a: '1' } } },
        { quiet: true },
      );
      await api.post(
        services,
        { metadata: { name: 'b' }, spec: { type: 'ExternalName', externalName: 'a.b' } },
        { quiet: true },
      );
      await api.post(
        services,
        {
          metadata: { name: 'c' },
          spec: { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports },
        },
        { quiet: true },
      );
      const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
      await api.get(services, {
        headers,
        only: [
          'columnDefinitions.*.name',
          'columnDefinitions.*.type',
          'columnDefinitions.*.priority',
          ...[0, 1, 2, 3, 4, 6].map((cell) => `rows.*.cells.${cell}`),
        ],
      });
    },
    'a PUT makes a Service': async (api) => {
      await api.put(
        `/api/v1/namespaces/${api.namespace}/services/a`,
        { metadata: { name: 'a' }, spec: { ports } },
        { only: ['metadata.name', 'spec', 'status'] },
      );
    },
    'Endpoints have addresses and ports': async (api) => {
      const endpoints = `/api/v1/namespaces/${api.namespace}/endpoints`;
      const address = [{ ip: '192.0.2.1' }];
      await api.post(endpoints, { metadata: { name: 'a' }, subsets: [{ addresses: address, ports: [{ port: 80 }] }] });
      await api.post(endpoints, { metadata: { name: 'b' }, subsets: [{ ports: [{ port: 80 }] }] });
      await api.post(endpoints, {
        metadata: { name: 'b' },
        subsets: [
          {
            addresses: [{ ip: '127.0.0.1', hostname: 'A', nodeName: 'A_' }],
            ports: [{ port: 0 }, { port: 1, protocol: 'X' }],
          },
        ],
      });
      await api.put(
        `${endpoints}/a`,
        {
          metadata: { name: 'a' },
          subsets: [{ addresses: address, notReadyAddresses: [{ ip: '192.0.2.2' }], ports: [{ port: 81, name: 'x' }] }],
        },
        { only: ['subsets', 'metadata.generation'] },
      );
      const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
      await api.get(endpoints, {
        headers,
        only: ['columnDefinitions.*.name', ...[0, 1].map((cell) => `rows.*.cells.${cell}`)],
      });
    },
  },
);
