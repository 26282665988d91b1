import { goQuoted } from '../../registry/strategies/rules/go-text.js';
import { type Answer, text } from '../answers/answer.js';

/**
 * The hooks that a kube-apiserver runs after its start, in order. This server finishes the work of these hooks before its first response.
 */
const hooks = [
  'poststarthook/start-apiserver-admission-initializer',
  'poststarthook/generic-apiserver-start-informers',
  'poststarthook/priority-and-fairness-config-consumer',
  'poststarthook/priority-and-fairness-filter',
  'poststarthook/storage-object-count-tracker-hook',
  'poststarthook/start-apiextensions-informers',
  'poststarthook/start-apiextensions-controllers',
  'poststarthook/crd-informer-synced',
  'poststarthook/start-system-namespaces-controller',
  'poststarthook/peer-endpoint-reconciler-controller',
  'poststarthook/start-cluster-authentication-info-controller',
  'poststarthook/start-kube-apiserver-identity-lease-controller',
  'poststarthook/start-kube-apiserver-identity-lease-garbage-collector',
  'poststarthook/storage-readiness',
  'poststarthook/start-legacy-token-tracking-controller',
  'poststarthook/start-service-ip-repair-controllers',
  'poststarthook/rbac/bootstrap-roles',
  'poststarthook/scheduling/bootstrap-system-priority-classes',
  'poststarthook/priority-and-fairness-config-producer',
  'poststarthook/bootstrap-controller',
  'poststarthook/start-kubernetes-service-cidr-controller',
  'poststarthook/aggregator-reload-proxy-client-cert',
  'poststarthook/start-kube-aggregator-informers',
  'poststarthook/apiservice-status-local-available-controller',
  'poststarthook/apiservice-status-remote-available-controller',
  'poststarthook/apiservice-registration-controller',
  'poststarthook/apiservice-discovery-controller',
  'poststarthook/kube-apiserver-autoregistration',
  'autoregister-completion',
  'poststarthook/apiservice-openapi-controller',
  'poststarthook/apiservice-openapiv3-controller',
];
const live = ['ping', 'log', 'loopback-serving-certificate', 'etcd', ...hooks];

/** The checks of each path. */
const checks: Readonly<Record<string, readonly string[]>> = {
  healthz: live,
  livez: live,
  readyz: ['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync', ...hooks, 'shutdown'],
};

/** The health check paths, for all checks and for individual checks. */
export const healthPaths: readonly string[] = Object.entries(checks).flatMap(([name, parts]) => [
  `/${name}`,
  ...parts.map((part) => `/${name}/${part}`),
]);
const known = new Set(healthPaths);

/** Returns whether a path is the path of all checks. The metrics contain only requests for all checks. */
export function isHealthRoot(path: string): boolean {
  return Object.hasOwn(checks, path.slice(1));
}

/**
 * Returns the response of a health check, which always succeeds. Returns undefined for other paths. With the query parameter `verbose`, the
 * response lists the checks, and shows the checks that `exclude` names as excluded.
 */
export function healthAnswer(path: string, query: URLSearchParams): Answer | undefined {
  if (!known.has(path)) return undefined;
  const name = path.slice(1);
  const parts = checks[name];
  if (parts === undefined) return text('ok');
  const content = query.has('verbose') ? report(name, parts, query.getAll('exclude')) : 'ok';
  return { kind: 'text', status: 200, text: content, headers: { 'x-content-type-options': 'nosniff' } };
}

function report(name: string, parts: readonly string[], excluded: readonly string[]): string {
  const lines = parts.map((part) => `[+]${part} ${excluded.includes(part) ? 'excluded: ok' : 'ok'}`);
  const unknown = [...new Set(excluded)].filter((part) => !parts.includes(part)).toSorted();
  if (unknown.length > 0) {
    const named = unknown.map(goQuoted).join(',');
    lines.push(`warn: some health checks cannot be excluded: no matches for ${named}`);
  }
  return [...lines, `${name} check passed`, ''].join('\n');
}
