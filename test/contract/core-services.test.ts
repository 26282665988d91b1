import { contract, type ContractCase } from './contract.js';

const ports = [{ port: 80 }];

const refused: Readonly<Record<string, object>> = {
  'rejects a spec without ports': {},
  'rejects invalid port numbers and missing port names': { ports: [{ port: 0 }, { port: 70_000, name: 'A' }] },
  'rejects duplicate ports and port names': {
    ports: [
      { port: 80, name: 'a' },
      { port: 80, name: 'a' },
    ],
  },
  'rejects an unknown protocol': { ports: [{ port: 80, protocol: 'HTTP', appProtocol: '-', targetPort: 'A_' }] },
  'rejects an unknown type': { type: 'Magic', ports },
  'rejects a nodePort with the type ClusterIP': { ports: [{ port: 80, nodePort: 31_999 }] },
  'rejects a nodePort out of range': { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] },
  'rejects the type ExternalName without an externalName': { type: 'ExternalName' },
  'rejects an invalid externalName': { type: 'ExternalName', externalName: 'A_b' },
  'rejects clusterIPs with the type ExternalName': {
    type: 'ExternalName',
    externalName: 'a.b',
    clusterIP: '10.96.200.1',
  },
  'rejects a headless Service with the type NodePort': { type: 'NodePort', clusterIP: 'None', ports },
  'rejects an invalid cluster IP': { clusterIP: 'a', ports },
  'rejects a cluster IP out of range': { clusterIP: '192.0.2.1', ports },
  'rejects clusterIPs that do not match clusterIP': { clusterIP: '10.96.200.2', clusterIPs: ['10.96.200.3'], ports },
  'rejects clusterIPs with None and an address': { clusterIPs: ['None', '10.96.200.3'], clusterIP: 'None', ports },
  'rejects invalid ipFamilies': { ipFamilies: ['IPv5'], ipFamilyPolicy: 'Triple', ports },
  'rejects an unknown sessionAffinity': { sessionAffinity: 'Love', ports },
  'rejects an invalid sessionAffinity timeout': {
    sessionAffinity: 'ClientIP',
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 100_000 } },
    ports,
  },
  'rejects invalid external IPs': { externalIPs: ['127.0.0.1', 'x', '169.254.1.1'], ports },
  'rejects an invalid selector': { selector: { 'a b': '-' }, ports },
  'rejects load balancer fields with another type': {
    loadBalancerSourceRanges: ['10.0.0.0/8'],
    allocateLoadBalancerNodePorts: true,
    loadBalancerClass: 'a/b',
    ports,
  },
  'rejects invalid loadBalancerSourceRanges': {
    type: 'LoadBalancer',
    loadBalancerSourceRanges: ['10.0.0.0'],
    loadBalancerClass: '-',
    ports,
  },
  'rejects an externalTrafficPolicy with the type ClusterIP': {
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: 31_998,
    ports,
  },
  'rejects unknown traffic policies': {
    type: 'NodePort',
    externalTrafficPolicy: 'Near',
    internalTrafficPolicy: 'Far',
    trafficDistribution: 'Fair',
    ports,
  },
};

const accepted: Readonly<Record<string, object>> = {
  'defaults a minimal Service': { ports },
  'allocates a nodePort': { type: 'NodePort', ports: [{ port: 80, targetPort: 'http', name: 'web' }] },
  'accepts the type LoadBalancer': { type: 'LoadBalancer', ports },
  'accepts a load balancer without node ports': { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports },
  'accepts a headless Service': { clusterIP: 'None', selector: { a: 'b' } },
  'accepts a headless Service without a selector': { clusterIP: 'None', ports },
  'accepts the type ExternalName': { type: 'ExternalName', externalName: 'example.com.' },
  'defaults the sessionAffinity timeout to three hours': { sessionAffinity: 'ClientIP', ports },
  'drops empty fields': {
    selector: {},
    externalIPs: [],
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } },
    ports,
  },
  'warns about external IPs': { externalIPs: ['192.0.2.7'], ports },
  'warns about fields that a headless Service ignores': {
    clusterIP: 'None',
    loadBalancerIP: '192.0.2.8',
    sessionAffinity: 'ClientIP',
    externalIPs: ['192.0.2.9'],
  },
  'warns about fields that the type ignores': { externalName: 'a.b', trafficDistribution: 'PreferClose', ports },
};

const cases = (specs: Readonly<Record<string, object>>): Readonly<Record<string, ContractCase>> =>
  Object.fromEntries(
    Object.entries(specs).map(([title, spec]): readonly [string, ContractCase] => [
      `Service: ${title}`,
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
    'rejects a Service whose name is not a DNS label': async (api) => {
      const services = `/api/v1/namespaces/${api.namespace}/services`;
      await api.post(services, { metadata: { name: 'a.b' }, spec: { ports } });
      await api.post(services, { metadata: { name: '1a' }, spec: { ports } }, { only: ['metadata.name', 'message'] });
      await api.post(services, { metadata: { name: 'A' }, spec: { ports } });
    },
    'rejects a cluster IP that is in use, and a change of the cluster IP': async (api) => {
      const services = `/api/v1/namespaces/${api.namespace}/services`;
      const made = await api.post(services, { metadata: { name: 'a' }, spec: { ports } }, { quiet: true });
      const { clusterIP } = (made.body as { spec: { clusterIP: string } }).spec;
      await api.post(services, { metadata: { name: 'b' }, spec: { clusterIP, ports } });
      await api.patch(`${services}/a`, { spec: { clusterIP: '10.96.200.9', clusterIPs: ['10.96.200.9'] } });
      await api.patch(`${services}/a`, { spec: { clusterIP: 'None', clusterIPs: ['None'] } });
      await api.put(`${services}/a`, { metadata: { name: 'a' }, spec: { ports: [{ port: 81 }] } }, { only: ['spec'] });
    },
    'changes the type of a Service': async (api) => {
      const services = `/api/v1/namespaces/${api.namespace}/services`;
      await api.post(services, { metadata: { name: 'a' }, spec: { ports } }, { quiet: true });
      const only = ['spec', 'status', 'message'];
      await api.patch(`${services}/a`, { spec: { type: 'NodePort' } }, { only });
      await api.patch(`${services}/a`, { spec: { type: 'LoadBalancer' } }, { only });
      await api.patch(`${services}/a`, { spec: { type: 'ClusterIP' } }, { only });
      await api.patch(`${services}/a`, { spec: { type: 'ExternalName', externalName: 'a.b' } }, { only });
      await api.patch(`${services}/a`, { spec: { type: 'ClusterIP', externalName: null } }, { only });
    },
    'allocates a healthCheckNodePort with the externalTrafficPolicy Local': async (api) => {
      const services = `/api/v1/namespaces/${api.namespace}/services`;
      const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports };
      const made = await api.post(services, { metadata: { name: 'a' }, spec }, { quiet: true });
      const { healthCheckNodePort } = (made.body as { spec: { healthCheckNodePort: number } }).spec;
      await api.patch(`${services}/a`, {
        spec: { healthCheckNodePort: healthCheckNodePort === 31_000 ? 31_001 : 31_000 },
      });
      await api.patch(`${services}/a`, { spec: { externalTrafficPolicy: 'Cluster' } }, { only: ['spec'] });
    },
    'rejects a change of the loadBalancerClass': async (api) => {
      const services = `/api/v1/namespaces/${api.namespace}/services`;
      await api.post(
        services,
        { metadata: { name: 'a' }, spec: { type: 'LoadBalancer', loadBalancerClass: 'a/b', ports } },
        { quiet: true },
      );
      await api.patch(`${services}/a`, { spec: { loadBalancerClass: 'a/c' } });
    },
    'validates the load balancer status': async (api) => {
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
    'selects Services by fields': async (api) => {
      const services = `/api/v1/namespaces/${api.namespace}/services`;
      await api.post(services, { metadata: { name: 'a' }, spec: { clusterIP: 'None' } }, { quiet: true });
      await api.post(services, { metadata: { name: 'b' }, spec: { type: 'NodePort', ports } }, { quiet: true });
      for (const field of ['spec.type=NodePort', 'spec.clusterIP=None', 'metadata.name=a', 'spec.selector=x']) {
        await api.get(`${services}?fieldSelector=${encodeURIComponent(field)}`, {
          only: ['items.*.metadata.name', 'message'],
        });
      }
    },
    'returns all columns in the table of Services': async (api) => {
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
    'creates a Service by an update': async (api) => {
      await api.put(
        `/api/v1/namespaces/${api.namespace}/services/a`,
        { metadata: { name: 'a' }, spec: { ports } },
        { only: ['metadata.name', 'spec', 'status'] },
      );
    },
    'validates Endpoints': async (api) => {
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
