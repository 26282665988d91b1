import { goQuoted } from '../../registry/strategies/rules/go-text.js';
import { type Answer, text } from '../answers/answer.js';

/** The checks of each path, without the checks that only apply to a kube-apiserver. */
const checks: Readonly<Record<string, readonly string[]>> = {
  healthz: ['ping', 'log', 'etcd'],
  livez: ['ping', 'log', 'etcd'],
  readyz: ['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync', 'shutdown'],
};

/** The health check paths, for all checks and for individual checks. */
export const healthPaths: readonly string[] = Object.entries(checks).flatMap(([name, parts]) => [
  `/${name}`,
  ...parts.map((part) => `/${name}/${part}`),
]);

/**
 * Returns the response of a health check, which always succeeds. Returns undefined for other paths. With the query parameter `verbose`, the
 * response lists the checks, and shows the checks that `exclude` names as excluded.
 */
export function healthAnswer(path: string, query: URLSearchParams): Answer | undefined {
  if (!healthPaths.includes(path)) return undefined;
  const name = path.slice(1);
  const parts = checks[name];
  return text(parts !== undefined && query.has('verbose') ? report(name, parts, query.getAll('exclude')) : 'ok');
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
