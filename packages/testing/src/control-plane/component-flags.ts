import type { ControlPlaneFiles } from './control-plane-files.js';

/** The ports of the control plane's components on 127.0.0.1. */
export interface ControlPlanePorts {
  readonly apiServer: number;
  readonly etcd: number;
  readonly etcdPeer: number;
  readonly kubelet: number;
}

/** The controllers that the API depends on. An embedded server without workloads has the same controllers. */
const apiControllers = [
  'clusterrole-aggregation-controller',
  'disruption-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'persistentvolume-protection-controller',
  'persistentvolumeclaim-protection-controller',
  'resourcequota-controller',
  'root-ca-certificate-publisher-controller',
  'service-cidr-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'validatingadmissionpolicy-status-controller',
];

/** Returns the flags of etcd. The data is in a temporary folder, so etcd does not sync the data to the disk. */
export function etcdFlags(files: ControlPlaneFiles, ports: ControlPlanePorts): readonly string[] {
  const [client, peer] = [etcdUrl(ports), `http://127.0.0.1:${ports.etcdPeer}`];
  return [
    '--name=default',
    `--data-dir=${files.path('etcd')}`,
    '--unsafe-no-fsync',
    '--log-level=warn',
    '--quota-backend-bytes=8589934592',
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--listen-metrics-urls=',
    '--auto-compaction-retention=0',
  ];
}

export function etcdUrl({ etcd }: ControlPlanePorts): string {
  return `http://127.0.0.1:${etcd}`;
}

/**
 * Returns the flags of kube-apiserver. RBAC is enabled. The administrator authenticates with a token, so that a proxy can forward the
 * requests.
 */
export function apiServerFlags(
  files: ControlPlaneFiles,
  ports: ControlPlanePorts,
  { withControllers }: { readonly withControllers: boolean },
): readonly string[] {
  const path = (name: string): string => files.path(name);
  return [
    `--etcd-servers=${etcdUrl(ports)}`,
    '--storage-media-type=application/vnd.kubernetes.protobuf',
    '--bind-address=127.0.0.1',
    `--secure-port=${ports.apiServer}`,
    // The endpoint reconciler refuses loopback addresses; this address is reserved for documentation.
    '--advertise-address=192.0.2.1',
    '--external-hostname=localhost',
    `--tls-cert-file=${path('apiserver.crt')}`,
    `--tls-private-key-file=${path('apiserver.key')}`,
    `--client-ca-file=${path('ca.crt')}`,
    `--token-auth-file=${path('tokens.csv')}`,
    '--enable-bootstrap-token-auth',
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-key-file=${path('sa.pub')}`,
    `--service-account-signing-key-file=${path('sa.key')}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    `--requestheader-client-ca-file=${path('front-proxy-ca.crt')}`,
    '--requestheader-allowed-names=front-proxy-client',
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    `--proxy-client-cert-file=${path('front-proxy-client.crt')}`,
    `--proxy-client-key-file=${path('front-proxy-client.key')}`,
    `--kubelet-client-certificate=${path('kubelet-client.crt')}`,
    `--kubelet-client-key=${path('kubelet-client.key')}`,
    '--kubelet-preferred-address-types=InternalIP',
    '--allow-privileged',
    '--shutdown-delay-duration=0s',
    // Without controllers, the service account 'default' that this plugin requires is never created.
    ...(withControllers ? [] : ['--disable-admission-plugins=ServiceAccount']),
  ];
}

/**
 * Returns the flags of kube-controller-manager. Without workloads, runs only the controllers that an embedded server without workloads has.
 */
export function controllerManagerFlags(
  files: ControlPlaneFiles,
  { workloads }: { readonly workloads: boolean },
): readonly string[] {
  const controllers = workloads ? ['*', 'bootstrap-signer-controller', 'token-cleaner-controller'] : apiControllers;
  return [
    ...clientFlags(files, 'kube-controller-manager'),
    '--use-service-account-credentials',
    `--controllers=${controllers.join(',')}`,
    `--service-account-private-key-file=${files.path('sa.key')}`,
    `--root-ca-file=${files.path('ca.crt')}`,
    `--cluster-signing-cert-file=${files.path('ca.crt')}`,
    `--cluster-signing-key-file=${files.path('ca.key')}`,
  ];
}

export function schedulerFlags(files: ControlPlaneFiles): readonly string[] {
  return clientFlags(files, 'kube-scheduler');
}

/** Returns the flags of kwok, which simulates the kubelets of the nodes with the annotation `kwok.x-k8s.io/node: fake`. */
export function kwokFlags(files: ControlPlaneFiles, { kubelet }: ControlPlanePorts, stages: string): readonly string[] {
  return [
    `--kubeconfig=${files.path('kwok.kubeconfig')}`,
    `--config=${stages}`,
    '--cidr=10.244.0.0/16',
    '--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake',
    '--node-lease-duration-seconds=40',
    '--node-ip=127.0.0.1',
    `--node-port=${kubelet}`,
    `--server-address=127.0.0.1:${kubelet}`,
    `--tls-cert-file=${files.path('kubelet.crt')}`,
    `--tls-private-key-file=${files.path('kubelet.key')}`,
    '-v=WARN',
  ];
}

function clientFlags(files: ControlPlaneFiles, name: string): readonly string[] {
  const kubeconfig = files.path(`${name}.kubeconfig`);
  return [
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--leader-elect=false',
    '--secure-port=0',
    '--kube-api-qps=500',
    '--kube-api-burst=1000',
  ];
}
