import { contract, type ContractCase } from './contract.js';
import { container, pod, podSpec } from './pod-bodies.js';

const selector = { matchLabels: { a: 'b' } };
const probe = { httpGet: { port: 80 } };
const many = (count: number, make: (index: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** Specs that the server rejects, each because of a different rule. */
const refusedSpecs: Readonly<Record<string, object>> = {
  'needs a container': { containers: [] },
  'needs containers at all': { containers: null },
  'names its containers as labels': { containers: [container({ name: 'A_b' })] },
  'names each container once': { containers: [container(), container()] },
  'names and images every container': { containers: [{}] },
  'has images without space around them': { containers: [container({ image: ' nginx' })] },
  'pulls images as policies say': { containers: [container({ imagePullPolicy: 'Sometimes' })] },
  'restarts as policies say': { restartPolicy: 'Sometimes' },
  'looks up names as policies say': { dnsPolicy: 'Guess' },
  'brings a DNS configuration when it wants no policy': { dnsPolicy: 'None' },
  'has at most three name servers': { dnsConfig: { nameservers: ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4'] } },
  'has addresses of name servers': { dnsConfig: { nameservers: ['one'], searches: ['A b'], options: [{}] } },
  'has port numbers in range': { containers: [container({ ports: [{ containerPort: 70_000 }, { hostPort: -1 }] })] },
  'has port names that can be looked up': {
    containers: [
      container({
        ports: [
          { containerPort: 1, name: 'A-Very_Long-Name--' },
          { containerPort: 2, name: '1' },
        ],
      }),
    ],
  },
  'names each port once': {
    containers: [
      container({
        ports: [
          { containerPort: 1, name: 'a' },
          { containerPort: 2, name: 'a', protocol: 'HTTP' },
        ],
      }),
    ],
  },
  'takes each host port once': {
    containers: [
      container({
        ports: [
          { containerPort: 1, hostPort: 9 },
          { containerPort: 2, hostPort: 9 },
        ],
      }),
    ],
  },
  'names its variables': { containers: [container({ env: [{ value: 'a' }, { name: 'a=b' }] })] },
  'gives a variable one value': {
    containers: [
      container({ env: [{ name: 'a', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }),
    ],
  },
  'gives a variable a source': { containers: [container({ env: [{ name: 'a', valueFrom: {} }] })] },
  'gives a variable one source': {
    containers: [
      container({
        env: [
          {
            name: 'a',
            valueFrom: { fieldRef: { fieldPath: 'metadata.name' }, configMapKeyRef: { name: 'a', key: 'b' } },
          },
        ],
      }),
    ],
  },
  'refers to fields that a variable may have': {
    containers: [
      container({
        env: [
          { name: 'a', valueFrom: { fieldRef: { fieldPath: 'spec.containers' } } },
          { name: 'b', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } },
          { name: 'c', valueFrom: { fieldRef: { fieldPath: "spec.nodeName['a']" } } },
          { name: 'd', valueFrom: { fieldRef: { fieldPath: '' } } },
          { name: 'e', valueFrom: { fieldRef: { fieldPath: "metadata.labels['-a']" } } },
        ],
      }),
    ],
  },
  'refers to amounts that a variable may have': {
    containers: [
      container({
        env: [
          { name: 'a', valueFrom: { resourceFieldRef: { resource: 'limits.disk' } } },
          { name: 'b', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '5' } } },
          { name: 'c', valueFrom: { resourceFieldRef: {} } },
        ],
      }),
    ],
  },
  'refers to keys that can be': {
    containers: [
      container({
        env: [
          { name: 'a', valueFrom: { configMapKeyRef: { name: 'A_', key: 'a b' } } },
          { name: 'b', valueFrom: { secretKeyRef: { name: 'a' } } },
        ],
      }),
    ],
  },
  'takes variables from one source each': {
    containers: [
      container({
        envFrom: [{}, { configMapRef: { name: '' } }, { configMapRef: { name: 'a' }, secretRef: { name: 'b' } }],
      }),
    ],
  },
  'mounts volumes that it has': { containers: [container({ volumeMounts: [{ name: 'v', mountPath: '/v' }, {}] })] },
  'mounts at each path once, and below it': {
    volumes: [{ name: 'v', emptyDir: {} }],
    containers: [
      container({
        volumeMounts: [
          { name: 'v', mountPath: '/v' },
          { name: 'v', mountPath: '/v', subPath: '/abs', subPathExpr: '../x' },
        ],
      }),
    ],
  },
  'spreads mounts as it may': {
    volumes: [{ name: 'v', emptyDir: {} }],
    containers: [
      container({
        volumeMounts: [
          { name: 'v', mountPath: '/a', mountPropagation: 'Bidirectional' },
          { name: 'v', mountPath: '/b', mountPropagation: 'All', recursiveReadOnly: 'Enabled' },
        ],
      }),
    ],
  },
  'has devices of claims only': {
    volumes: [{ name: 'v', emptyDir: {} }],
    containers: [container({ volumeDevices: [{ name: 'v', devicePath: '/a/../b' }, { name: 'x' }] })],
  },
  'names each volume, once, as a label': { volumes: [{ name: 'a' }, { name: 'a' }, {}, { name: 'A' }] },
  'has one kind of each volume': { volumes: [{ name: 'a', emptyDir: {}, hostPath: { path: '/' }, secret: {} }] },
  'has volumes that say what they need': {
    volumes: [
      { name: 'a', secret: { defaultMode: 4096, items: [{ key: '', path: '../x' }] } },
      { name: 'b', configMap: { items: [{ key: 'a', path: '..a', mode: -1 }] } },
      { name: 'c', hostPath: { path: '/a/..', type: 'Thing' } },
      { name: 'd', persistentVolumeClaim: {} },
      { name: 'e', nfs: { path: 'a' } },
      { name: 'f', emptyDir: { sizeLimit: '-1' } },
    ],
  },
  'has claims that can be made': {
    volumes: [
      { name: 'a', ephemeral: {} },
      { name: 'b', ephemeral: { volumeClaimTemplate: { spec: {} } } },
    ],
  },
  'has files of fields that a volume may have': {
    volumes: [
      {
        name: 'a',
        downwardAPI: {
          items: [
            { path: 'a', fieldRef: { fieldPath: 'spec.nodeName' } },
            { path: '', resourceFieldRef: { resource: 'limits.cpu' } },
            { path: 'b' },
          ],
        },
      },
    ],
  },
  'projects to each path once': {
    volumes: [
      {
        name: 'a',
        projected: {
          defaultMode: 1000,
          sources: [
            { configMap: { items: [{ key: 'a', path: 'a' }] } },
            { secret: { name: 's', items: [{ key: 'a', path: 'a' }] }, configMap: { name: 'c' } },
            { downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'metadata.name' } }] } },
          ],
        },
      },
    ],
  },
  'projects tokens that last': {
    serviceAccountName: 'default',
    volumes: [{ name: 'a', projected: { sources: [{ serviceAccountToken: { expirationSeconds: 5, path: '' } }] } }],
  },
  'has drivers with names': {
    volumes: [
      { name: 'a', csi: {} },
      { name: 'b', csi: { driver: 'A b', nodePublishSecretRef: {} } },
    ],
  },
  'asks for no more than its limit': {
    containers: [container({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } })],
  },
  'asks for nothing negative': { containers: [container({ resources: { requests: { cpu: '-1' } } })] },
  'asks for what containers get': { containers: [container({ resources: { requests: { storage: '1' } } })] },
  'asks for resources of known names': { containers: [container({ resources: { requests: { apples: '1' } } })] },
  'asks for resources of proper names': { containers: [container({ resources: { requests: { 'a b': '1' } } })] },
  'asks for whole devices, and limits them': {
    containers: [container({ resources: { requests: { 'example.com/gpu': '1500m' } } })],
  },
  'asks for huge pages with memory': { containers: [container({ resources: { limits: { 'hugepages-2Mi': '3Mi' } } })] },
  'claims what the Pod claims': {
    containers: [container({ resources: { claims: [{ name: 'a' }, { name: 'a' }, {}] } })],
  },
  'has one handler a probe': {
    containers: [container({ livenessProbe: { httpGet: { port: 0 }, exec: { command: [] } }, readinessProbe: {} })],
  },
  'has probes that can be carried out': {
    containers: [
      container({
        livenessProbe: { httpGet: { port: 'A', scheme: 'FTP', httpHeaders: [{ name: 'a b' }] }, successThreshold: 2 },
        readinessProbe: { tcpSocket: { port: 80 }, periodSeconds: -1, terminationGracePeriodSeconds: 5 },
        startupProbe: { grpc: { port: 0 }, terminationGracePeriodSeconds: 0 },
      }),
    ],
  },
  'has hooks that can be carried out': {
    containers: [
      container({ lifecycle: { postStart: {}, preStop: { sleep: { seconds: 100 } }, stopSignal: 'SIGTERM' } }),
    ],
  },
  'probes no container that ends': { initContainers: [container({ name: 'i', livenessProbe: probe, lifecycle: {} })] },
  'names init containers differently': { initContainers: [container()] },
  'restarts containers as policies say': { containers: [container({ restartPolicy: 'Maybe' })] },
  'says when rules restart': {
    containers: [
      container({
        restartPolicyRules: [{ action: 'Nothing' }, { action: 'Restart', exitCodes: { operator: 'Near' } }],
      }),
    ],
  },
  'resizes what can be resized': {
    containers: [
      container({
        resizePolicy: [
          { resourceName: 'disk', restartPolicy: 'Maybe' },
          { resourceName: 'cpu', restartPolicy: 'RestartContainer' },
        ],
      }),
    ],
    restartPolicy: 'Never',
  },
  'has no ephemeral containers at first': { ephemeralContainers: [container({ name: 'e' })] },
  'has host ports that are its ports on the network of the host': {
    hostNetwork: true,
    containers: [container({ ports: [{ containerPort: 1, hostPort: 2 }] })],
  },
  'selects nodes by labels': { nodeSelector: { 'a b': '-' } },
  'has users and groups that are numbers of them': {
    securityContext: { runAsUser: -1, fsGroup: -1, supplementalGroups: [1, -1], fsGroupChangePolicy: 'Never' },
    containers: [container({ securityContext: { runAsUser: -5, runAsGroup: 5_000_000_000 } })],
  },
  'has profiles that exist': {
    securityContext: {
      seccompProfile: { type: 'Localhost' },
      appArmorProfile: { type: 'Localhost', localhostProfile: ' a' },
    },
    containers: [container({ securityContext: { seccompProfile: { type: 'Mine' }, appArmorProfile: {} } })],
  },
  'does not forbid what it asks for': {
    containers: [container({ securityContext: { allowPrivilegeEscalation: false, privileged: true } })],
  },
  'sets parameters of the kernel once': {
    hostNetwork: true,
    securityContext: { sysctls: [{ name: 'net.a', value: '1' }, { name: 'net.a' }, { name: 'A B' }, {}] },
  },
  'has no host of its users and not': { hostUsers: false, hostPID: true, hostIPC: true, hostNetwork: true },
  'prefers nodes by weights': {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                { key: 'a', operator: 'In' },
                { key: 'b', operator: 'Exists', values: ['x'] },
                { key: 'c', operator: 'Gt', values: ['1', '2'] },
                { key: '-', operator: 'Near' },
                { key: 'd', operator: 'In', values: ['-'] },
              ],
              matchFields: [{ key: 'metadata.uid', operator: 'Exists' }],
            },
          ],
        },
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 200, preference: {} }],
      },
    },
  },
  'has a term when it requires nodes': {
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
  },
  'likes Pods by topology': {
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: { matchExpressions: [{ key: 'a', operator: 'Near' }] }, topologyKey: '', namespaces: ['A'] },
        ],
      },
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 0, podAffinityTerm: { matchLabelKeys: ['a'], topologyKey: 'a' } },
        ],
      },
    },
  },
  'spreads by what it says': {
    topologySpreadConstraints: [
      { maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'Shrug', labelSelector: selector },
      { maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'ScheduleAnyway', minDomains: 1, labelSelector: selector },
      {
        maxSkew: 1,
        topologyKey: 'a',
        whenUnsatisfiable: 'ScheduleAnyway',
        nodeTaintsPolicy: 'Mind',
        labelSelector: selector,
      },
    ],
  },
  'tolerates what can be': {
    tolerations: [
      { operator: 'Equal' },
      { key: 'a', operator: 'Exists', value: 'x' },
      { key: 'a', operator: 'Near' },
      { key: 'a', effect: 'Sometimes' },
      { key: 'a', effect: 'NoSchedule', tolerationSeconds: 5 },
      { key: 'a', operator: 'Lt', value: '1' },
      { key: '-', value: '-' },
    ],
  },
  'has gates with names, once': { schedulingGates: [{ name: 'a' }, { name: 'a' }, { name: '-' }] },
  'is not on a node while it waits at a gate': { schedulingGates: [{ name: 'a' }], nodeName: 'node' },
  'is ready by conditions with names': { readinessGates: [{ conditionType: '-' }] },
  'has names that are ones': {
    serviceAccountName: 'A',
    nodeName: 'A_',
    hostname: 'a.b',
    subdomain: 'A',
    runtimeClassName: 'A',
    activeDeadlineSeconds: 0,
  },
  'knows its hosts by address': { hostAliases: [{ ip: 'a', hostnames: ['A b'] }] },
  'runs on a known system': { os: { name: 'plan9' } },
  'preempts as policies say': { preemptionPolicy: 'Sometimes' },
};

const refusedCases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(refusedSpecs).map(([title, spec]): readonly [string, ContractCase] => [
    `a Pod ${title}`,
    async (api) => {
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('a', spec));
    },
  ]),
);

/** Specs that the server accepts. The defaulted fields are compared. */
const acceptedSpecs: Readonly<Record<string, object>> = {
  'gets the defaults of a Pod': {},
  'asks for what it is limited to': {
    containers: [container({ resources: { limits: { cpu: '1', memory: '1024Mi' }, requests: { memory: '0.5Gi' } } })],
    initContainers: [container({ name: 'i', resources: { limits: { cpu: 2 } } })],
  },
  'is guaranteed when it asks for its limits': {
    containers: [container({ resources: { limits: { cpu: '1', memory: '1Gi' } } })],
  },
  'gets the defaults of its probes and hooks': {
    containers: [
      container({
        livenessProbe: { httpGet: { port: 80 } },
        readinessProbe: { grpc: { port: 5 } },
        startupProbe: { tcpSocket: { port: 'web' } },
        lifecycle: { preStop: { httpGet: { port: 80 } }, postStart: { sleep: { seconds: 1 } } },
      }),
    ],
  },
  'gets the defaults of its volumes': {
    volumes: [
      { name: 'a' },
      { name: 'b', configMap: { name: 'c' } },
      { name: 'c', secret: { secretName: 's' } },
      { name: 'd', hostPath: { path: '/d' } },
      { name: 'e', downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'metadata.name' } }] } },
      { name: 'f', projected: { sources: [{ configMap: { name: 'c' } }] } },
      {
        name: 'g',
        ephemeral: {
          volumeClaimTemplate: {
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        },
      },
      { name: 'h', image: { reference: 'nginx' } },
      { name: 'i', emptyDir: { sizeLimit: '1024Mi' } },
    ],
  },
  'gets the defaults of its variables': {
    containers: [
      container({
        env: [
          { name: 'a', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: 'b', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
          { name: 'c', value: '' },
        ],
      }),
    ],
  },
  'has its ports on the host when it is on its network': {
    hostNetwork: true,
    containers: [container({ ports: [{ containerPort: 80 }] })],
  },
  'waits at a gate': { schedulingGates: [{ name: 'example.com/wait' }] },
  'drops what is empty': {
    hostNetwork: false,
    hostPID: false,
    nodeSelector: {},
    tolerations: [],
    imagePullSecrets: [],
    containers: [container({ args: [], env: [], command: [], tty: false, stdin: false, workingDir: '' })],
  },
  'pulls an image without a tag always': {
    containers: [
      container({ image: 'registry:5000/nginx' }),
      container({ name: 'd', image: 'a@sha256:0123456789012345678901234567890123456789012345678901234567890123' }),
    ],
  },
  'may still be told the old name of its account': { serviceAccount: 'default' },
  'warns of variables and ports that hide others': {
    containers: [
      container({
        env: [
          { name: 'a', value: '1' },
          { name: 'a', value: '2' },
        ],
        ports: [{ containerPort: 80, name: 'web' }, { containerPort: 80 }, { containerPort: 81, name: 'web2' }],
      }),
      container({ name: 'd', ports: [{ containerPort: 82, name: 'web' }] }),
    ],
  },
  'warns of what is old': {
    nodeSelector: { 'beta.kubernetes.io/os': 'linux' },
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'failure-domain.beta.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
    ],
    terminationGracePeriodSeconds: -5,
    containers: [container({ resources: { limits: { memory: '1500m' } } })],
  },
  'warns of selectors that choose nothing': {
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a' }] } },
  },
};

const acceptedCases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(acceptedSpecs).map(([title, spec]): readonly [string, ContractCase] => [
    `a Pod ${title}`,
    async (api) => {
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('a', spec));
    },
  ]),
);

contract(
  'core-pods',
  {},
  {
    ...refusedCases,
    ...acceptedCases,
    'a Pod name that is no label is warned about': async (api) => {
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('a.b'), { only: ['metadata.name'] });
    },
    'a wrong type in a Pod is told with its struct field': async (api) => {
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      for (const spec of [
        5,
        { containers: {} },
        { containers: [{ name: 5 }] },
        { containers: [container({ imagePullPolicy: true })] },
        { containers: [container({ ports: [{ containerPort: 'http' }] })] },
        { containers: [container({ ports: [{ containerPort: 9_999_999_999 }] })] },
        { containers: [container({ ports: [{ containerPort: 1.5 }] })] },
        { containers: [container({ env: [{ name: 'a', value: 1 }] })] },
        { containers: [container({ livenessProbe: { httpGet: { port: true } } })] },
        { volumes: [{ name: 'a', emptyDir: 'x' }] },
        { nodeSelector: { a: true } },
        { hostNetwork: 'yes' },
      ]) {
        await api.post(pods, { metadata: { name: 'a' }, spec });
      }
    },
    'an amount that is none cannot be read': async (api) => {
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      for (const cpu of ['much', '1 Gi', true, {}, '1X']) {
        await api.post(pods, pod('a', { containers: [container({ resources: { limits: { cpu } } })] }));
      }
    },
    'hosts and secrets that are named twice are warned about': async (api) => {
      const spec = {
        hostAliases: [
          { ip: '1.1.1.1', hostnames: ['a'] },
          { ip: '1.1.1.1', hostnames: ['b'] },
        ],
        imagePullSecrets: [{ name: 'a' }, { name: 'a' }, {}],
      };
      const only = ['spec.hostAliases', 'spec.imagePullSecrets'];
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('a', spec), { only });
    },
    'the mark of a mirror needs a node, and a cost is a number': async (api) => {
      const annotations = { 'kubernetes.io/config.mirror': 'x', 'controller.kubernetes.io/pod-deletion-cost': '+5' };
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('a', {}, { annotations }));
    },
    'dead annotations are warned about': async (api) => {
      const annotations = { 'scheduler.alpha.kubernetes.io/critical-pod': '' };
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('a', {}, { annotations }), {
        only: ['metadata.annotations'],
      });
    },
    'the status of a new Pod is the server’s': async (api) => {
      const body = { ...pod('a'), status: { phase: 'Running', podIP: '1.2.3.4' } };
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, body, { only: ['status'] });
    },
    'an update may change images, deadlines and tolerations': async (api) => {
      const path = `/api/v1/namespaces/${api.namespace}/pods/a`;
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('a'), { quiet: true });
      const changed = podSpec({ containers: [container({ image: 'nginx:2' })], activeDeadlineSeconds: 50 });
      const options = { type: 'application/strategic-merge-patch+json', only: ['spec', 'metadata.generation'] };
      await api.patch(path, { spec: changed }, options);
      await api.patch(path, { spec: { activeDeadlineSeconds: 60 } }, options);
      await api.patch(path, { spec: { activeDeadlineSeconds: null } }, options);
      await api.patch(path, { spec: { tolerations: [{ key: 'x', operator: 'Exists' }] } }, options);
      await api.patch(path, [{ op: 'add', path: '/spec/tolerations/-', value: { key: 'x', operator: 'Exists' } }], {
        ...options,
        type: 'application/json-patch+json',
      });
    },
    'an update may not add containers': async (api) => {
      const path = `/api/v1/namespaces/${api.namespace}/pods/a`;
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('a'), { quiet: true });
      const add = [{ op: 'add', path: '/spec/containers/-', value: container({ name: 'd', image: ' ' }) }];
      await api.patch(path, add, { type: 'application/json-patch+json' });
      const replace = [{ op: 'replace', path: '/spec/containers/0/image', value: ' nginx ' }];
      await api.patch(path, replace, { type: 'application/json-patch+json' });
    },
    'gates are only taken away': async (api) => {
      const path = `/api/v1/namespaces/${api.namespace}/pods/a`;
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('a', { schedulingGates: [{ name: 'x' }] }), {
        quiet: true,
      });
      await api.patch(path, { spec: { schedulingGates: [{ name: 'y' }] } });
      await api.patch(
        path,
        { spec: { schedulingGates: [] } },
        { only: ['spec.schedulingGates', 'status', 'metadata.generation'] },
      );
    },
    'the mark of a mirror stays as it is': async (api) => {
      const path = `/api/v1/namespaces/${api.namespace}/pods/a`;
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('a'), { quiet: true });
      await api.patch(path, { metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } });
    },
    'a status update changes the status only': async (api) => {
      const path = `/api/v1/namespaces/${api.namespace}/pods/a`;
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('a'), { quiet: true });
      const status = {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        podIP: '10.1.1.1',
        podIPs: [{ ip: '10.1.1.1' }],
      };
      await api.patch(
        `${path}/status`,
        { metadata: { labels: { a: 'b' } }, spec: { nodeName: 'x' }, status },
        {
          only: ['metadata.labels', 'spec.nodeName', 'status'],
        },
      );
      await api.patch(`${path}/status`, { status: { qosClass: 'Guaranteed' } });
      await api.patch(`${path}/status`, { status: { conditions: [{ type: '-', status: 'True' }] } });
      await api.patch(`${path}/status`, { status: { podIPs: [{ ip: '1.1.1.1' }, { ip: '1.1.1.2' }] } });
      await api.patch(`${path}/status`, { status: { hostIPs: [{ ip: 'x' }] } });
      await api.patch(`${path}/status`, { status: { nominatedNodeName: 'A_' } });
    },
    'a container that has ended for good stays ended': async (api) => {
      const path = `/api/v1/namespaces/${api.namespace}/pods/a`;
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('a', { restartPolicy: 'Never' }), { quiet: true });
      const state = (value: object): object => ({
        status: {
          containerStatuses: [{ name: 'c', state: value, ready: false, restartCount: 0, image: '', imageID: '' }],
        },
      });
      await api.patch(`${path}/status`, state({ terminated: { exitCode: 0 } }), { only: ['status.containerStatuses'] });
      await api.patch(
        `${path}/status`,
        [{ op: 'replace', path: '/status/containerStatuses/0/state', value: { running: {} } }],
        {
          type: 'application/json-patch+json',
        },
      );
    },
    'Pods are selected by fields': async (api) => {
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      await api.post(pods, pod('a'), { quiet: true });
      await api.post(pods, pod('b', { nodeName: 'no-such-node', restartPolicy: 'Never', hostNetwork: true }), {
        quiet: true,
      });
      for (const field of [
        'spec.nodeName=no-such-node',
        'spec.nodeName=',
        'spec.nodeName!=no-such-node',
        'status.phase=Pending',
        'spec.restartPolicy=Never',
        'spec.schedulerName=none',
        'spec.serviceAccountName=default',
        'spec.hostNetwork=true',
        'spec.hostNetwork=false',
        'metadata.name=a',
        'status.podIP=',
        'status.nominatedNodeName=',
        'spec.containers=x',
        'status.qosClass=BestEffort',
      ]) {
        await api.get(`${pods}?fieldSelector=${encodeURIComponent(field)}`, {
          only: ['items.*.metadata.name', 'message', 'reason'],
        });
      }
    },
    'ephemeral containers are added, and stay': async (api) => {
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      await api.post(pods, pod('a'), { quiet: true });
      const type = 'application/strategic-merge-patch+json';
      const only = ['spec.ephemeralContainers', 'spec.nodeName', 'metadata.generation', 'metadata.labels'];
      const add = (own: object): object => ({
        metadata: { labels: { x: 'y' } },
        spec: { nodeName: 'n', ephemeralContainers: [{ name: 'd', image: 'busybox', ...own }] },
      });
      await api.patch(`${pods}/a/ephemeralcontainers`, add({ targetContainerName: 'c' }), { type, only });
      await api.patch(`${pods}/a/ephemeralcontainers`, add({ name: 'c', ports: [{ containerPort: 1 }] }), { type });
      await api.patch(`${pods}/a/ephemeralcontainers`, add({ name: 'e', targetContainerName: 'x' }), { type });
      await api.get(`${pods}/a/ephemeralcontainers`, { only });
      await api.patch(`${pods}/a`, add({ name: 'f' }), { type, only: ['code'] });
      await api.put(`${pods}/a/ephemeralcontainers`, pod('a'), { only: ['code', 'reason', 'message'] });
    },
    'a Pod is resized by amounts only': async (api) => {
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      const sized = (cpu: string): object => ({ containers: [container({ resources: { requests: { cpu } } })] });
      await api.post(pods, pod('a', sized('100m')), { quiet: true });
      const type = 'application/strategic-merge-patch+json';
      const only = ['spec.containers', 'metadata.generation', 'code', 'message', 'details'];
      const resources = (value: object, own: object = {}): object => ({
        spec: { containers: [{ name: 'c', resources: value, ...own }] },
      });
      await api.patch(`${pods}/a/resize`, resources({ requests: { cpu: '200m' } }, { image: 'other' }), { type, only });
      await api.patch(`${pods}/a/resize`, resources({ requests: { cpu: null } }), { type, only });
      await api.patch(`${pods}/a/resize`, resources({ requests: { 'ephemeral-storage': '1Gi' } }), { type, only });
      await api.patch(
        `${pods}/a/resize`,
        resources({ limits: { cpu: '200m', memory: '1Gi' }, requests: { memory: '1Gi' } }),
        { type, only },
      );
      await api.patch(`${pods}/a/resize`, { spec: { containers: [{ name: 'd', image: 'x' }] } }, { type, only });
      await api.patch(`${pods}/a/resize`, resources({ limits: { cpu: '300m' } }), { type, only });
    },
    'what only a kubelet can give is refused as far as a server can tell': async (api) => {
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      await api.post(
        pods,
        pod('a', { containers: [container(), container({ name: 'd' })], initContainers: [container({ name: 'i' })] }),
        { quiet: true },
      );
      await api.post(pods, pod('b', { nodeName: 'no-such-node' }), { quiet: true });
      for (const path of [
        'c/log',
        'a/log',
        'a/log?container=c',
        'a/log?container=x',
        'a/log?container=c&tailLines=-1&limitBytes=0&sinceSeconds=0',
        'a/exec?command=ls',
        'a/exec?command=ls&container=c',
        'a/attach?container=x',
        'a/portforward',
        'b/log',
        'b/exec?command=ls',
        'b/portforward',
      ]) {
        await api.get(`${pods}/${path}`);
      }
      await api.delete(`${pods}/b`, { gracePeriodSeconds: 0 }, { quiet: true });
    },
    'a Pod on no node is gone at once': async (api) => {
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      await api.post(pods, pod('a'), { quiet: true });
      await api.delete(`${pods}/a`, undefined, { only: ['kind', 'status', 'metadata.deletionGracePeriodSeconds'] });
      await api.get(`${pods}/a`);
    },
    'a Pod on a node is given its time': async (api) => {
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      await api.post(pods, pod('a', { nodeName: 'no-such-node', terminationGracePeriodSeconds: 500 }), { quiet: true });
      const only = ['metadata.deletionGracePeriodSeconds', 'metadata.generation', 'kind', 'message'];
      await api.delete(`${pods}/a`, undefined, { only });
      await api.delete(`${pods}/a`, undefined, { only });
      await api.delete(`${pods}/a`, { gracePeriodSeconds: 100 }, { only });
      await api.delete(`${pods}/a`, { gracePeriodSeconds: -1 });
      await api.delete(`${pods}/a`, { gracePeriodSeconds: 0 }, { only: ['kind', 'status'] });
      await api.get(`${pods}/a`);
    },
    'the table of Pods has all columns': async (api) => {
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      await api.post(pods, pod('a', { readinessGates: [{ conditionType: 'a/b' }], schedulingGates: [{ name: 'x' }] }), {
        quiet: true,
      });
      const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
      await api.get(pods, {
        headers,
        only: [
          'columnDefinitions.*.name',
          'columnDefinitions.*.type',
          'columnDefinitions.*.priority',
          ...[0, 1, 2, 3, 5, 6, 7, 8].map((cell) => `rows.*.cells.${cell}`),
        ],
      });
    },
    'a Pod of an account gets its token as a volume': async (api) => {
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      const only = [
        'spec.volumes',
        'spec.containers',
        'spec.initContainers',
        'spec.serviceAccountName',
        'spec.serviceAccount',
      ];
      const masked = async (name: string, spec: object): Promise<void> => {
        const made = await api.post(
          pods,
          { metadata: { name }, spec: { schedulerName: 'none', ...spec } },
          { quiet: true },
        );
        const { volumes = [] } = (made.body as { spec?: { volumes?: { name: string }[] } }).spec ?? {};
        for (const volume of volumes) {
          if (volume.name.startsWith('kube-api-access-')) api.mask(volume.name, 'kube-api-access-<generated>');
        }
        await api.get(`${pods}/${name}`, { only });
      };
      await masked('a', { containers: [container()], initContainers: [container({ name: 'i' })] });
      const mount = { name: 'v', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' };
      await masked('b', { containers: [container({ volumeMounts: [mount] })], volumes: [{ name: 'v', emptyDir: {} }] });
      await masked('c', { containers: [container()], automountServiceAccountToken: false });
    },
    'a Pod of an account that is not there is forbidden': async (api) => {
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('a', { serviceAccountName: 'nobody' }));
    },
    'an account says whether its Pods get a token, and what pulls their images': async (api) => {
      const namespace = `/api/v1/namespaces/${api.namespace}`;
      const account = {
        metadata: { name: 'x' },
        automountServiceAccountToken: false,
        imagePullSecrets: [{ name: 's' }],
      };
      await api.post(`${namespace}/serviceaccounts`, account, { quiet: true });
      const body = {
        metadata: { name: 'a' },
        spec: { containers: [container()], schedulerName: 'none', serviceAccountName: 'x' },
      };
      await api.post(`${namespace}/pods`, body, { only: ['spec.volumes', 'spec.imagePullSecrets', 'spec.containers'] });
    },
    'a Pod has the priority of its class': async (api) => {
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      const name = api.name('class');
      await api.post(
        '/apis/scheduling.k8s.io/v1/priorityclasses',
        { metadata: { name }, value: 7, preemptionPolicy: 'Never' },
        { quiet: true },
      );
      const only = ['spec.priority', 'spec.priorityClassName', 'spec.preemptionPolicy', 'message', 'reason', 'details'];
      await api.post(pods, pod('a', { priorityClassName: name }), { only });
      await api.post(pods, pod('b', { priorityClassName: name, priority: 5 }), { only });
      await api.post(pods, pod('c', { priorityClassName: 'no-such-class' }), { only });
      await api.post(pods, pod('d', { priorityClassName: 'system-node-critical' }), { only });
      await api.post(pods, pod('e', { priorityClassName: name, preemptionPolicy: 'PreemptLowerPriority' }), { only });
      await api.post(pods, pod('f', { priority: 3 }), { only });
    },
    'tolerations for broken nodes are added': async (api) => {
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      await api.post(
        pods,
        pod('a', { tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' }] }),
        { only: ['spec.tolerations'] },
      );
      await api.post(pods, pod('b', { tolerations: [{ operator: 'Exists' }] }), { only: ['spec.tolerations'] });
      await api.post(
        pods,
        pod('c', { tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoSchedule' }] }),
        { only: ['spec.tolerations'] },
      );
    },
    'a Pod has at most so many rules': async (api) => {
      const rules = many(21, () => ({ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }));
      await api.post(
        `/api/v1/namespaces/${api.namespace}/pods`,
        pod('a', { containers: [container({ restartPolicy: 'Never', restartPolicyRules: rules })] }),
      );
    },
    'a RuntimeClass says what its Pods cost, and where they run': async (api) => {
      const name = api.name('runtime');
      const scheduling = { nodeSelector: { a: 'b' }, tolerations: [{ key: 'x', operator: 'Exists' }] };
      const overhead = { podFixed: { cpu: '100m', memory: '1.5' } };
      const classes = '/apis/node.k8s.io/v1/runtimeclasses';
      await api.post(classes, { metadata: { name }, handler: 'h', overhead, scheduling }, { quiet: true });
      const made = (spec: object): Promise<unknown> =>
        api.post(`/api/v1/namespaces/${api.namespace}/pods?dryRun=All`, pod('a', spec), {
          only: ['spec.overhead', 'spec.nodeSelector', 'spec.tolerations', 'message', 'reason'],
        });
      await made({ runtimeClassName: name });
      await made({ runtimeClassName: name, overhead: { cpu: '0.1', memory: '1500m' }, nodeSelector: { c: 'd' } });
      await made({ runtimeClassName: name, overhead: { cpu: '1' } });
      await made({ runtimeClassName: name, nodeSelector: { a: 'c' } });
      await made({ runtimeClassName: name, tolerations: [{ key: 'x', value: 'y', effect: 'NoExecute' }] });
      await made({ runtimeClassName: 'no-such-class' });
      await made({ runtimeClassName: '' });
      await made({ overhead: { cpu: '1' } });
    },
    'a Pod may be limited as a whole': async (api) => {
      const made = (resources: object, own: object): Promise<unknown> =>
        api.post(
          `/api/v1/namespaces/${api.namespace}/pods?dryRun=All`,
          pod('a', { resources, containers: [container({ resources: own })] }),
          { only: ['spec.resources', 'status.qosClass', 'message'] },
        );
      await made({ limits: { cpu: '2' } }, { requests: { cpu: '1' } });
      await made({ limits: { cpu: '2', memory: '1Gi' } }, {});
      await made({ requests: { cpu: '2' } }, { requests: { memory: '1Gi' } });
      await made({ requests: { cpu: '1' } }, { requests: { cpu: '2' } });
      await made({ limits: { cpu: '1' } }, { limits: { cpu: '2' } });
      await made({ limits: { 'ephemeral-storage': '1Gi' } }, {});
      await made({ claims: [{ name: 'x' }] }, {});
      await made({ limits: { cpu: '1' }, requests: { cpu: '2' } }, {});
    },
  },
);
