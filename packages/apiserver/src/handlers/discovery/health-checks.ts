import { goQuoted } from '../../registry/strategies/go-text.js';
import { type Answer, text } from '../answer.js';

/** What is looked at by each address, but for what only the program of a real server has. */
const checks: Readonly<Record<string, readonly string[]>> = {
  healthz: ['ping', 'log', 'etcd'],
  livez: ['ping', 'log', 'etcd'],
  readyz: ['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync', 'shutdown'],
};

/** The addresses at which a server is asked whether it is well, as a whole and in what it looks at. */
export const healthPaths: readonly string[] = Object.entries(checks).flatMap(([name, parts]) => [
  `/${name}`,
  ...parts.map((part) => `/${name}/${part}`),
]);

/** A server that answers is well; undefined for other paths. `verbose` lists what was looked at, but for what `exclude` names. */
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
