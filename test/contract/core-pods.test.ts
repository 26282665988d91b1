import { contract, type ContractCase } from './contract.js';
import { container, pod, podSpec } from './pod-bodies.js';

const selector = { matchLabels: { a: 'b' } };
const probe = { httpGet: { port: 80 } };
const many = (count: number, make: (index: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** Specs that the server rejects, each because of a different rule. */
const refusedSpecs: Readonly<Record<string, object>> = {
  'rejects empty containers': { containers: [] },
  'rejects a spec without containers': { containers: null },
  'rejects an invalid container name': { containers: [container({ name: 'A_b' })] },
  'rejects duplicate container names': { containers: [container(), container()] },
  'rejects a container without name and image': { containers: [{}] },
  'rejects whitespace around an image': { containers: [container({ image: ' nginx' })] },
  'rejects an unknown imagePullPolicy': { containers: [container({ imagePullPolicy: 'Sometimes' })] },
  'rejects an unknown restartPolicy': { restartPolicy: 'Sometimes' },
  'rejects an unknown dnsPolicy': { dnsPolicy: 'Guess' },
  'rejects the dnsPolicy None without a dnsConfig': { dnsPolicy: 'None' },
  'rejects more than three name servers': { dnsConfig: { nameservers: ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4'] } },
  'rejects a name server that is not an IP address': {
    dnsConfig: { nameservers: ['one'], searches: ['A b'], options: [{}] },
  },
  'rejects a port number out of range': {
    containers: [container({ ports: [{ containerPort: 70_000 }, { hostPort: -1 }] })],
  },
  'rejects an invalid port name': {
    containers: [
      container({
        ports: [
          { containerPort: 1, name: 'A-Very_Long-Name--' },
          { containerPort: 2, name: '1' },
        ],
      }),
    ],
  },
  'rejects duplicate port names': {
    containers: [
      container({
        ports: [
          { containerPort: 1, name: 'a' },
          { containerPort: 2, name: 'a', protocol: 'HTTP' },
        ],
      }),
    ],
  },
  'rejects duplicate host ports': {
    containers: [
      container({
        ports: [
          { containerPort: 1, hostPort: 9 },
          { containerPort: 2, hostPort: 9 },
        ],
      }),
    ],
  },
  'rejects a missing or invalid environment variable name': {
    containers: [container({ env: [{ value: 'a' }, { name: 'a=b' }] })],
  },
  'rejects a variable with both value and valueFrom': {
    containers: [
      container({ env: [{ name: 'a', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }),
    ],
  },
  'rejects an empty valueFrom': { containers: [container({ env: [{ name: 'a', valueFrom: {} }] })] },
  'rejects a valueFrom with several sources': {
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
  'rejects an unsupported fieldRef of a variable': {
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
  'rejects an unsupported resourceFieldRef of a variable': {
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
  'rejects an invalid configMapKeyRef or secretKeyRef': {
    containers: [
      container({
        env: [
          { name: 'a', valueFrom: { configMapKeyRef: { name: 'A_', key: 'a b' } } },
          { name: 'b', valueFrom: { secretKeyRef: { name: 'a' } } },
        ],
      }),
    ],
  },
  'rejects an envFrom without exactly one source': {
    containers: [
      container({
        envFrom: [{}, { configMapRef: { name: '' } }, { configMapRef: { name: 'a' }, secretRef: { name: 'b' } }],
      }),
    ],
  },
  'rejects a mount of an absent volume': {
    containers: [container({ volumeMounts: [{ name: 'v', mountPath: '/v' }, {}] })],
  },
  'rejects duplicate mount paths and invalid subpaths': {
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
  'rejects a mount propagation that is not permitted': {
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
  'rejects a volume device that is not a claim': {
    volumes: [{ name: 'v', emptyDir: {} }],
    containers: [container({ volumeDevices: [{ name: 'v', devicePath: '/a/../b' }, { name: 'x' }] })],
  },
  'rejects missing, invalid, and duplicate volume names': {
    volumes: [{ name: 'a' }, { name: 'a' }, {}, { name: 'A' }],
  },
  'rejects a volume with several types': {
    volumes: [{ name: 'a', emptyDir: {}, hostPath: { path: '/' }, secret: {} }],
  },
  'rejects volumes without required fields': {
    volumes: [
      { name: 'a', secret: { defaultMode: 4096, items: [{ key: '', path: '../x' }] } },
      { name: 'b', configMap: { items: [{ key: 'a', path: '..a', mode: -1 }] } },
      { name: 'c', hostPath: { path: '/a/..', type: 'Thing' } },
      { name: 'd', persistentVolumeClaim: {} },
      { name: 'e', nfs: { path: 'a' } },
      { name: 'f', emptyDir: { sizeLimit: '-1' } },
    ],
  },
  'rejects an invalid ephemeral volume claim template': {
    volumes: [
      { name: 'a', ephemeral: {} },
      { name: 'b', ephemeral: { volumeClaimTemplate: { spec: {} } } },
    ],
  },
  'rejects an unsupported fieldRef of a volume': {
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
  'rejects a projected volume with invalid paths': {
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
  'rejects a projected token with an invalid duration': {
    serviceAccountName: 'default',
    volumes: [{ name: 'a', projected: { sources: [{ serviceAccountToken: { expirationSeconds: 5, path: '' } }] } }],
  },
  'rejects a CSI volume with an invalid driver': {
    volumes: [
      { name: 'a', csi: {} },
      { name: 'b', csi: { driver: 'A b', nodePublishSecretRef: {} } },
    ],
  },
  'rejects a request above its limit': {
    containers: [container({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } })],
  },
  'rejects a negative request': { containers: [container({ resources: { requests: { cpu: '-1' } } })] },
  'rejects a resource that containers do not have': {
    containers: [container({ resources: { requests: { storage: '1' } } })],
  },
  'rejects an unknown resource': { containers: [container({ resources: { requests: { apples: '1' } } })] },
  'rejects an invalid resource name': { containers: [container({ resources: { requests: { 'a b': '1' } } })] },
  'rejects fractional extended resources and requests without limits': {
    containers: [container({ resources: { requests: { 'example.com/gpu': '1500m' } } })],
  },
  'rejects invalid huge page resources': {
    containers: [container({ resources: { limits: { 'hugepages-2Mi': '3Mi' } } })],
  },
  'rejects a resource claim that is not in resourceClaims': {
    containers: [container({ resources: { claims: [{ name: 'a' }, { name: 'a' }, {}] } })],
  },
  'rejects a probe without exactly one handler': {
    containers: [container({ livenessProbe: { httpGet: { port: 0 }, exec: { command: [] } }, readinessProbe: {} })],
  },
  'rejects invalid probes': {
    containers: [
      container({
        livenessProbe: { httpGet: { port: 'A', scheme: 'FTP', httpHeaders: [{ name: 'a b' }] }, successThreshold: 2 },
        readinessProbe: { tcpSocket: { port: 80 }, periodSeconds: -1, terminationGracePeriodSeconds: 5 },
        startupProbe: { grpc: { port: 0 }, terminationGracePeriodSeconds: 0 },
      }),
    ],
  },
  'rejects invalid lifecycle hooks': {
    containers: [
      container({ lifecycle: { postStart: {}, preStop: { sleep: { seconds: 100 } }, stopSignal: 'SIGTERM' } }),
    ],
  },
  'rejects probes and hooks of init containers': {
    initContainers: [container({ name: 'i', livenessProbe: probe, lifecycle: {} })],
  },
  'rejects an init container with the name of a container': { initContainers: [container()] },
  'rejects an unknown restartPolicy of a container': { containers: [container({ restartPolicy: 'Maybe' })] },
  'rejects restart rules without a restartPolicy': {
    containers: [
      container({
        restartPolicyRules: [{ action: 'Nothing' }, { action: 'Restart', exitCodes: { operator: 'Near' } }],
      }),
    ],
  },
  'rejects a resizePolicy of an unsupported resource': {
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
  'rejects ephemeral containers in a new Pod': { ephemeralContainers: [container({ name: 'e' })] },
  'rejects a hostPort that differs from the containerPort with hostNetwork': {
    hostNetwork: true,
    containers: [container({ ports: [{ containerPort: 1, hostPort: 2 }] })],
  },
  'rejects an invalid nodeSelector': { nodeSelector: { 'a b': '-' } },
  'rejects invalid user and group ids': {
    securityContext: { runAsUser: -1, fsGroup: -1, supplementalGroups: [1, -1], fsGroupChangePolicy: 'Never' },
    containers: [container({ securityContext: { runAsUser: -5, runAsGroup: 5_000_000_000 } })],
  },
  'rejects an unknown seccomp profile type': {
    securityContext: {
      seccompProfile: { type: 'Localhost' },
      appArmorProfile: { type: 'Localhost', localhostProfile: ' a' },
    },
    containers: [container({ securityContext: { seccompProfile: { type: 'Mine' }, appArmorProfile: {} } })],
  },
  'rejects a contradictory securityContext': {
    containers: [container({ securityContext: { allowPrivilegeEscalation: false, privileged: true } })],
  },
  'rejects invalid sysctls': {
    hostNetwork: true,
    securityContext: { sysctls: [{ name: 'net.a', value: '1' }, { name: 'net.a' }, { name: 'A B' }, {}] },
  },
  'rejects host namespaces with hostUsers false': { hostUsers: false, hostPID: true, hostIPC: true, hostNetwork: true },
  'rejects an invalid preferred node affinity': {
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
  'rejects a required node affinity without terms': {
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
  },
  'rejects an invalid Pod affinity': {
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
  'rejects invalid topology spread constraints': {
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
  'rejects invalid tolerations': {
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
  'rejects invalid and duplicate scheduling gates': { schedulingGates: [{ name: 'a' }, { name: 'a' }, { name: '-' }] },
  'rejects a nodeName with scheduling gates': { schedulingGates: [{ name: 'a' }], nodeName: 'node' },
  'rejects an invalid readiness gate': { readinessGates: [{ conditionType: '-' }] },
  'rejects invalid names of references': {
    serviceAccountName: 'A',
    nodeName: 'A_',
    hostname: 'a.b',
    subdomain: 'A',
    runtimeClassName: 'A',
    activeDeadlineSeconds: 0,
  },
  'rejects invalid host aliases': { hostAliases: [{ ip: 'a', hostnames: ['A b'] }] },
  'rejects an unknown operating system': { os: { name: 'plan9' } },
  'rejects an unknown preemptionPolicy': { preemptionPolicy: 'Sometimes' },
};

const refusedCases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(refusedSpecs).map(([title, spec]): readonly [string, ContractCase] => [
    `Pod: ${title}`,
    async (api) => {
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('a', spec));
    },
  ]),
);

/** Specs that the server accepts. The defaulted fields are compared. */
const acceptedSpecs: Readonly<Record<string, object>> = {
  'defaults a minimal Pod': {},
  'defaults requests to limits': {
    containers: [container({ resources: { limits: { cpu: '1', memory: '1024Mi' }, requests: { memory: '0.5Gi' } } })],
    initContainers: [container({ name: 'i', resources: { limits: { cpu: 2 } } })],
  },
  'sets the QoS class Guaranteed if requests equal limits': {
    containers: [container({ resources: { limits: { cpu: '1', memory: '1Gi' } } })],
  },
  'defaults probes and hooks': {
    containers: [
      container({
        livenessProbe: { httpGet: { port: 80 } },
        readinessProbe: { grpc: { port: 5 } },
        startupProbe: { tcpSocket: { port: 'web' } },
        lifecycle: { preStop: { httpGet: { port: 80 } }, postStart: { sleep: { seconds: 1 } } },
      }),
    ],
  },
  'defaults volumes': {
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
  'defaults environment variables': {
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
  'defaults host ports with hostNetwork': {
    hostNetwork: true,
    containers: [container({ ports: [{ containerPort: 80 }] })],
  },
  'accepts scheduling gates': { schedulingGates: [{ name: 'example.com/wait' }] },
  'drops empty fields': {
    hostNetwork: false,
    hostPID: false,
    nodeSelector: {},
    tolerations: [],
    imagePullSecrets: [],
    containers: [container({ args: [], env: [], command: [], tty: false, stdin: false, workingDir: '' })],
  },
  'defaults imagePullPolicy to Always without an image tag': {
    containers: [
      container({ image: 'registry:5000/nginx' }),
      container({ name: 'd', image: 'a@sha256:0123456789012345678901234567890123456789012345678901234567890123' }),
    ],
  },
  'accepts the deprecated field serviceAccount': { serviceAccount: 'default' },
  'warns about hidden variables and ports': {
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
  'warns about deprecated labels': {
    nodeSelector: { 'beta.kubernetes.io/os': 'linux' },
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'failure-domain.beta.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
    ],
    terminationGracePeriodSeconds: -5,
    containers: [container({ resources: { limits: { memory: '1500m' } } })],
  },
  'warns about selectors that match nothing': {
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a' }] } },
  },
};

const acceptedCases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(acceptedSpecs).map(([title, spec]): readonly [string, ContractCase] => [
    `Pod: ${title}`,
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
    'warns about a Pod name that is not a DNS label': async (api) => {
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('a.b'), { only: ['metadata.name'] });
    },
    'reports the struct field of a value with a wrong type': async (api) => {
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
    'rejects an invalid quantity': async (api) => {
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      for (const cpu of ['much', '1 Gi', true, {}, '1X']) {
        await api.post(pods, pod('a', { containers: [container({ resources: { limits: { cpu } } })] }));
      }
    },
    'warns about duplicate host aliases and image pull secrets': async (api) => {
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
    'rejects invalid Pod annotations': async (api) => {
      const annotations = { 'kubernetes.io/config.mirror': 'x', 'controller.kubernetes.io/pod-deletion-cost': '+5' };
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('a', {}, { annotations }));
    },
    'warns about annotations without effect': async (api) => {
      const annotations = { 'scheduler.alpha.kubernetes.io/critical-pod': '' };
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('a', {}, { annotations }), {
        only: ['metadata.annotations'],
      });
    },
    'sets the status of a new Pod': async (api) => {
      const body = { ...pod('a'), status: { phase: 'Running', podIP: '1.2.3.4' } };
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, body, { only: ['status'] });
    },
    'accepts updates of images, deadlines, and tolerations': async (api) => {
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
    'rejects an update that adds containers': async (api) => {
      const path = `/api/v1/namespaces/${api.namespace}/pods/a`;
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('a'), { quiet: true });
      const add = [{ op: 'add', path: '/spec/containers/-', value: container({ name: 'd', image: ' ' }) }];
      await api.patch(path, add, { type: 'application/json-patch+json' });
      const replace = [{ op: 'replace', path: '/spec/containers/0/image', value: ' nginx ' }];
      await api.patch(path, replace, { type: 'application/json-patch+json' });
    },
    'rejects an update that adds scheduling gates': async (api) => {
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
    'rejects an update of the mirror annotation': async (api) => {
      const path = `/api/v1/namespaces/${api.namespace}/pods/a`;
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('a'), { quiet: true });
      await api.patch(path, { metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } });
    },
    'changes only the status through the status subresource': async (api) => {
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
    'rejects a status that restarts a terminated container': async (api) => {
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
    'selects Pods by fields': async (api) => {
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
    'adds ephemeral containers, and rejects their removal': async (api) => {
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
    'resizes only the resources of a Pod': async (api) => {
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
    'validates requests that require a kubelet': async (api) => {
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
    'immediately deletes a Pod that is not on a node': async (api) => {
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      await api.post(pods, pod('a'), { quiet: true });
      await api.delete(`${pods}/a`, undefined, { only: ['kind', 'status', 'metadata.deletionGracePeriodSeconds'] });
      await api.get(`${pods}/a`);
    },
    'deletes a Pod on a node after its grace period': async (api) => {
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
    'returns all columns in the table of Pods': async (api) => {
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
    'mounts the token of the service account': async (api) => {
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
    'rejects a Pod of an absent service account': async (api) => {
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('a', { serviceAccountName: 'nobody' }));
    },
    'applies automountServiceAccountToken and imagePullSecrets of the service account': async (api) => {
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
    'sets the priority from the PriorityClass': async (api) => {
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
    'adds tolerations for not-ready and unreachable nodes': async (api) => {
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
    'rejects too many restart rules': async (api) => {
      const rules = many(21, () => ({ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }));
      await api.post(
        `/api/v1/namespaces/${api.namespace}/pods`,
        pod('a', { containers: [container({ restartPolicy: 'Never', restartPolicyRules: rules })] }),
      );
    },
    'applies the overhead and the scheduling of a RuntimeClass': async (api) => {
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
    'validates Pod-level resources': async (api) => {
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
