import { contract, type ContractCase } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { container, podSpec } from './pod-bodies.js';

const prefix = 'pod-security.kubernetes.io/';
const shown = { only: ['metadata.name', 'message', 'reason', 'code', 'details'] };

/** Creates a namespace with the levels. A server may use an older state of the namespace for a while after a change of its labels. */
async function leveled(api: ContractApi, levels: Readonly<Record<string, string>>): Promise<string> {
  const name = `${api.namespace}-leveled`;
  const labels = Object.fromEntries(Object.entries(levels).map(([mode, level]) => [prefix + mode, level]));
  await api.post('/api/v1/namespaces', { metadata: { name, labels } }, { quiet: true });
  return `/api/v1/namespaces/${name}`;
}

const safe = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};
/** Returns the spec of a Pod with one container that differs from a restricted container in its securityContext. */
const secured = (context: object, spec: object = {}): object =>
  podSpec({ containers: [container({ securityContext: { ...safe, ...context } })], ...spec });
const restricted = (spec: object): object => secured({}, spec);
/** Returns the spec of a Pod whose only container has the fields. */
const one = (own: object): object => podSpec({ containers: [container(own)] });
const context = (own: object): object => one({ securityContext: own });
const added = (...add: readonly string[]): object => ({ capabilities: { add, drop: ['ALL'] } });
const probe = (host: string): object => ({ httpGet: { port: 80, host } });
const sysctl = (...names: readonly string[]): object => ({
  securityContext: { sysctls: names.map((name) => ({ name, value: '1' })) },
});
const windows = { os: { name: 'windows' } };

/** Pods to create: the level as `level:version`, the spec, and the annotations. */
const pods: Readonly<Record<string, readonly [level: string, spec: object, annotations?: object]>> = {
  'privileged: accepts a privileged container': ['privileged:latest', context({ privileged: true })],
  'baseline: accepts a minimal Pod': ['baseline:latest', podSpec()],
  'baseline: rejects host namespaces': [
    'baseline:latest',
    podSpec({ hostNetwork: true, hostPID: true, hostIPC: true }),
  ],
  'baseline: rejects a privileged container': ['baseline:latest', context({ privileged: true })],
  'baseline: names all containers with a violation': [
    'baseline:latest',
    podSpec({
      initContainers: [container({ name: 'i', securityContext: { privileged: true } })],
      containers: [container({ securityContext: { privileged: true } }), container({ name: 'd' })],
    }),
  ],
  'baseline: rejects additional capabilities': ['baseline:latest', context(added('SYS_TIME', 'NET_ADMIN', 'CHOWN'))],
  'baseline: accepts default capabilities': ['baseline:latest', context(added('CHOWN', 'SYS_CHROOT'))],
  'baseline: rejects hostPath volumes': [
    'baseline:latest',
    podSpec({ volumes: ['v', 'w'].map((name) => ({ name, hostPath: { path: '/x' } })) }),
  ],
  'baseline: accepts an NFS volume': [
    'baseline:latest',
    podSpec({ volumes: [{ name: 'v', nfs: { server: 's', path: '/' } }] }),
  ],
  'baseline: rejects host ports': [
    'baseline:latest',
    one({
      ports: [
        { containerPort: 80, hostPort: 90 },
        { containerPort: 81, hostPort: 100 },
      ],
    }),
  ],
  'baseline: rejects the hosts of probes and hooks': [
    'baseline:latest',
    one({ livenessProbe: probe('b.example.com'), lifecycle: { preStop: probe('a.example.com') } }),
  ],
  'baseline: accepts the hosts of probes before version 1.34': [
    'baseline:v1.33',
    one({ livenessProbe: probe('b.example.com') }),
  ],
  'baseline: rejects an unmasked procMount': ['baseline:v1.34', context({ procMount: 'Unmasked' })],
  'baseline: accepts an unmasked procMount if the Pod has its own user namespace': [
    'baseline:latest',
    podSpec({ hostUsers: false, containers: [container({ securityContext: { procMount: 'Unmasked' } })] }),
  ],
  'baseline: rejects SELinux options': [
    'baseline:latest',
    podSpec({
      securityContext: { seLinuxOptions: { type: 'spc_t' } },
      containers: [container({ securityContext: { seLinuxOptions: { type: 'init_t', user: 'u', role: 'r' } } })],
    }),
  ],
  'baseline: rejects the SELinux type container_engine_t before version 1.31': [
    'baseline:v1.30',
    context({ seLinuxOptions: { type: 'container_engine_t' } }),
  ],
  'baseline: accepts the SELinux type container_engine_t': [
    'baseline:latest',
    context({ seLinuxOptions: { type: 'container_engine_t' } }),
  ],
  'baseline: rejects unconfined seccomp profiles': [
    'baseline:latest',
    podSpec({
      securityContext: { seccompProfile: { type: 'Unconfined' } },
      containers: [container({ securityContext: { seccompProfile: { type: 'Unconfined' } } })],
    }),
  ],
  'baseline: accepts a Localhost seccomp profile': [
    'baseline:latest',
    context({ seccompProfile: { type: 'Localhost', localhostProfile: 'p' } }),
  ],
  'baseline: ignores seccomp profiles before version 1.19': [
    'baseline:v1.18',
    context({ seccompProfile: { type: 'Unconfined' } }),
  ],
  'baseline: rejects unconfined AppArmor profiles': [
    'baseline:latest',
    podSpec({
      securityContext: { appArmorProfile: { type: 'Unconfined' } },
      containers: [container({ securityContext: { appArmorProfile: { type: 'Unconfined' } } })],
    }),
  ],
  'baseline: rejects an annotation with an unconfined AppArmor profile': [
    'baseline:latest',
    podSpec(),
    { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined' },
  ],
  'baseline: accepts an annotation with the default AppArmor profile': [
    'baseline:latest',
    podSpec(),
    { 'container.apparmor.security.beta.kubernetes.io/c': 'runtime/default' },
  ],
  'baseline: rejects sysctls': [
    'baseline:latest',
    podSpec(sysctl('kernel.msgmax', 'net.ipv4.tcp_rmem', 'net.core.somaxconn')),
  ],
  'baseline: rejects the sysctl tcp_rmem before version 1.32': [
    'baseline:v1.31',
    podSpec(sysctl('net.ipv4.tcp_rmem', 'net.ipv4.tcp_fin_timeout')),
  ],
  'baseline: rejects the sysctl tcp_fin_timeout before version 1.29': [
    'baseline:v1.28',
    podSpec(sysctl('net.ipv4.tcp_fin_timeout')),
  ],
  'baseline: rejects the sysctl ip_local_reserved_ports before version 1.27': [
    'baseline:v1.26',
    podSpec(sysctl('net.ipv4.ip_local_reserved_ports')),
  ],
  'baseline: rejects a HostProcess Pod': [
    'baseline:latest',
    podSpec({
      ...windows,
      hostNetwork: true,
      securityContext: { windowsOptions: { hostProcess: true } },
      containers: [container({ securityContext: { windowsOptions: { hostProcess: true } } })],
    }),
  ],
  'baseline: reports all violations in order': [
    'baseline:latest',
    podSpec({
      hostNetwork: true,
      containers: [
        container({ securityContext: { privileged: true, ...added('SYS_ADMIN') }, ports: [{ containerPort: 80 }] }),
      ],
    }),
  ],
  'restricted: accepts a restricted Pod': ['restricted:latest', restricted({})],
  'restricted: rejects a minimal Pod': ['restricted:latest', podSpec()],
  'restricted: names all containers of a minimal Pod': [
    'restricted:latest',
    podSpec({
      containers: [container(), container({ name: 'd', securityContext: safe })],
      initContainers: [container({ name: 'i' })],
    }),
  ],
  'restricted: rejects a minimal Pod by the checks of version 1.7': ['restricted:v1.7', podSpec()],
  'restricted: rejects a minimal Pod by the checks of version 1.18': ['restricted:v1.18', podSpec()],
  'restricted: rejects a minimal Pod by the checks of version 1.21': ['restricted:v1.21', podSpec()],
  'restricted: rejects a minimal Pod by the checks of version 1.24': ['restricted:v1.24', podSpec()],
  'restricted: treats a future version as the newest version': ['restricted:v1.99', podSpec()],
  'restricted: accepts containers that inherit the settings of the Pod': [
    'restricted:latest',
    podSpec({
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        container({ securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } }),
      ],
    }),
  ],
  'restricted: rejects capabilities other than NET_BIND_SERVICE': [
    'restricted:latest',
    secured(added('NET_BIND_SERVICE', 'CHOWN', 'BPF')),
  ],
  'restricted: rejects a container that drops only some capabilities': [
    'restricted:latest',
    secured({ capabilities: { add: ['NET_RAW'], drop: ['CHOWN'] } }),
  ],
  'restricted: rejects root': ['restricted:latest', secured({ runAsNonRoot: false, runAsUser: 0 })],
  'restricted: rejects a Pod that runs as root': [
    'restricted:latest',
    restricted({ securityContext: { runAsNonRoot: false, runAsUser: 0 } }),
  ],
  'restricted: accepts the user 0 before version 1.23': ['restricted:v1.22', secured({ runAsUser: 0 })],
  'restricted: accepts root in the user namespace of the Pod': [
    'restricted:latest',
    secured({ runAsNonRoot: false, runAsUser: 0 }, { hostUsers: false }),
  ],
  'restricted: rejects root in the user namespace of the Pod before version 1.35': [
    'restricted:v1.34',
    secured({ runAsNonRoot: false, runAsUser: 0 }, { hostUsers: false }),
  ],
  'restricted: rejects an unmasked procMount even if the Pod has its own user namespace': [
    'restricted:latest',
    secured({ procMount: 'Unmasked' }, { hostUsers: false }),
  ],
  'restricted: rejects hostPath, NFS and iSCSI volumes': [
    'restricted:latest',
    restricted({
      volumes: [
        { name: 'h', hostPath: { path: '/x' } },
        { name: 'n', nfs: { server: 's', path: '/' } },
        { name: 'i', iscsi: { targetPortal: 't', iqn: 'iqn.2001-04.com.example:storage', lun: 0 } },
        { name: 'e', emptyDir: {} },
      ],
    }),
  ],
  'restricted: accepts volumes with configuration, claims, CSI drivers and images': [
    'restricted:latest',
    restricted({
      volumes: [
        { name: 'c', configMap: { name: 'c' } },
        { name: 's', secret: { secretName: 's' } },
        { name: 'p', persistentVolumeClaim: { claimName: 'p' } },
        { name: 'd', downwardAPI: {} },
        { name: 'j', projected: { sources: [] } },
        { name: 'i', csi: { driver: 'd.example.com' } },
        { name: 'm', image: { reference: 'r' } },
      ],
    }),
  ],
  'restricted: rejects an unconfined seccomp profile': [
    'restricted:latest',
    secured({ seccompProfile: { type: 'Unconfined' } }),
  ],
  'restricted: accepts a Windows Pod without settings for Linux': [
    'restricted:latest',
    podSpec({ ...windows, securityContext: { runAsNonRoot: true } }),
  ],
  'restricted: rejects a Windows Pod without settings for Linux before version 1.25': [
    'restricted:v1.24',
    podSpec({ ...windows, securityContext: { runAsNonRoot: true } }),
  ],
};

const podCases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(pods).map(([title, [enforced, spec, annotations = {}]]): readonly [string, ContractCase] => [
    title,
    async (api) => {
      const [enforce = '', version = ''] = enforced.split(':');
      const namespace = await leveled(api, { enforce, 'enforce-version': version, warn: 'privileged' });
      await api.post(`${namespace}/pods?dryRun=All`, { metadata: { name: 'a', annotations }, spec }, shown);
    },
  ]),
);

/** Labels of a new namespace. */
const labels: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'rejects an unknown level': { enforce: 'strict' },
  'rejects an empty level': { enforce: '' },
  'rejects a level with uppercase letters': { warn: 'Baseline' },
  'rejects a version without a prefix': { 'enforce-version': '1.25' },
  'rejects a version with a patch number': { 'audit-version': 'v1.25.0' },
  'rejects a version with a leading zero': { 'warn-version': 'v1.05' },
  'rejects several invalid labels in order': {
    'warn-version': 'x',
    warn: 'x',
    'audit-version': 'x',
    audit: 'x',
    'enforce-version': 'x',
    enforce: 'x',
  },
  'accepts a version without a level': { 'enforce-version': 'v1.20' },
  'accepts an unknown label of the domain': { unknown: 'x' },
};

const labelCases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(labels).map(([title, modes]): readonly [string, ContractCase] => [
    `namespace: ${title}`,
    async (api) => {
      const given = Object.fromEntries(Object.entries(modes).map(([mode, value]) => [prefix + mode, value]));
      await api.post('/api/v1/namespaces?dryRun=All', { metadata: { name: 'a', labels: given } }, shown);
    },
  ]),
);

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container()] } };
const selector = { matchLabels: { a: 'b' } };
const jobTemplate = { spec: { ...template.spec, restartPolicy: 'Never' } };

/** Workloads with a Pod template that violates the level `restricted`: the path, and the object without its name. */
const workloads: Readonly<Record<string, readonly [path: string, object]>> = {
  deployments: ['/apis/apps/v1', { spec: { selector, template } }],
  daemonsets: ['/apis/apps/v1', { spec: { selector, template } }],
  statefulsets: ['/apis/apps/v1', { spec: { selector, template } }],
  replicasets: ['/apis/apps/v1', { spec: { selector, template } }],
  replicationcontrollers: ['/api/v1', { spec: { template } }],
  podtemplates: ['/api/v1', { template }],
  jobs: ['/apis/batch/v1', { spec: { template: jobTemplate } }],
  cronjobs: ['/apis/batch/v1', { spec: { schedule: '0 0 1 1 *', jobTemplate: { spec: { template: jobTemplate } } } }],
};

const workloadCases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(workloads).map(([plural, [path, object]]): readonly [string, ContractCase] => [
    `accepts ${plural} that violate the enforced level, with a warning`,
    async (api) => {
      const namespace = (await leveled(api, { enforce: 'restricted' })).slice('/api/v1'.length);
      await api.post(`${path}${namespace}/${plural}?dryRun=All`, { metadata: { name: 'a' }, ...object }, shown);
    },
  ]),
);

contract(
  'pod-security',
  {},
  {
    ...podCases,
    ...labelCases,
    ...workloadCases,
    'warns about a Pod that violates only the level of warn': async (api) => {
      const namespace = await leveled(api, { enforce: 'baseline', warn: 'restricted', 'warn-version': 'v1.24' });
      await api.post(`${namespace}/pods?dryRun=All`, { metadata: { name: 'a' }, spec: podSpec() }, shown);
    },
    'does not warn about a Pod that violates the level of audit': async (api) => {
      const namespace = await leveled(api, { audit: 'restricted' });
      await api.post(`${namespace}/pods?dryRun=All`, { metadata: { name: 'a' }, spec: podSpec() }, shown);
    },
    'does not warn about a rejected Pod': async (api) => {
      const namespace = await leveled(api, { enforce: 'baseline', warn: 'restricted' });
      const spec = podSpec({ hostPID: true });
      await api.post(`${namespace}/pods?dryRun=All`, { metadata: { name: 'a' }, spec }, shown);
    },
    'shows the generated name of a rejected Pod': async (api) => {
      const namespace = await leveled(api, { enforce: 'baseline' });
      const { body } = await api.post(
        `${namespace}/pods`,
        { metadata: { generateName: 'web-' }, spec: podSpec({ hostPID: true }) },
        { quiet: true },
      );
      api.mask(body.details?.name ?? 'no name', '<name>');
      api.received('a rejected Pod with a generated name', body);
    },
    'rejects an invalid Pod before the level is checked': async (api) => {
      const namespace = await leveled(api, { enforce: 'restricted' });
      await api.post(
        `${namespace}/pods?dryRun=All`,
        { metadata: { name: 'a' }, spec: podSpec({ containers: [] }) },
        shown,
      );
    },
    'warns about existing Pods that violate a new enforced level': async (api) => {
      const namespace = await leveled(api, { enforce: 'privileged' });
      for (const [name, spec] of Object.entries({
        a: podSpec(),
        b: podSpec(),
        c: podSpec({ hostPID: true }),
        d: restricted({}),
      })) {
        await api.post(`${namespace}/pods`, { metadata: { name }, spec }, { quiet: true });
      }
      const enforce = (level: string): object => ({ metadata: { labels: { [`${prefix}enforce`]: level } } });
      // A real server reads Pods from a cache, which it updates with a delay.
      await api.eventually(
        'the warning about the Pod c',
        () => api.patch(`${namespace}?dryRun=All`, enforce('baseline'), { quiet: true }),
        ({ headers }) => headers['warning']?.includes('"c: ') === true,
      );
      for (const level of ['restricted', 'baseline', 'privileged']) {
        await api.patch(`${namespace}?dryRun=All`, enforce(level), shown);
      }
    },
    'rejects a new image, but no other changes, of a Pod that violates the enforced level': async (api) => {
      const namespace = await leveled(api, { enforce: 'privileged' });
      await api.post(
        `${namespace}/pods`,
        { metadata: { name: 'a' }, spec: podSpec({ hostPID: true }) },
        { quiet: true },
      );
      await api.patch(namespace, { metadata: { labels: { [`${prefix}enforce`]: 'baseline' } } }, shown);
      const path = `${namespace}/pods/a?dryRun=All`;
      const images = [{ op: 'replace', path: '/spec/containers/0/image', value: 'nginx:2' }];
      const patch = { body: images, type: 'application/json-patch+json' };
      await api.eventually(
        'a rejected image',
        () => api.request('PATCH', path, { ...patch, quiet: true }),
        ({ status }) => status === 403,
      );
      await api.request('PATCH', path, { ...patch, ...shown });
      await api.patch(path, { metadata: { labels: { a: 'b' } } }, shown);
      await api.patch(`${namespace}/pods/a/status?dryRun=All`, { status: { message: 'm' } }, shown);
      const added = { spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] } };
      await api.patch(`${namespace}/pods/a/ephemeralcontainers?dryRun=All`, added, shown);
    },
    'accepts changes of a namespace whose labels are already invalid': async (api) => {
      const namespace = await leveled(api, {});
      await api.patch(namespace, { metadata: { labels: { [`${prefix}enforce`]: 'strict' } } }, shown);
      await api.patch(namespace, { metadata: { labels: { [`${prefix}enforce`]: 'baseline' } } }, shown);
      await api.patch(`${namespace}/status`, { metadata: { labels: { [`${prefix}enforce`]: 'strict' } } }, shown);
    },
  },
);
