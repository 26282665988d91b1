import { parseArgs } from 'node:util';
import { isPackageManager, packageManagers } from '../scaffold/package-managers.js';
import { ScaffoldError } from '../scaffold-error.js';
import type { ProjectRequest } from './project-request.js';

const OPTIONS = {
  name: { type: 'string' },
  domain: { type: 'string' },
  group: { type: 'string' },
  kind: { type: 'string' },
  version: { type: 'string' },
  'cluster-scoped': { type: 'boolean' },
  'multi-group': { type: 'boolean' },
  'package-manager': { type: 'string' },
  'no-install': { type: 'boolean' },
  'no-git': { type: 'boolean' },
  force: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Parses the arguments. Returns 'help' for --help. Throws INVALID_ARGUMENT for unknown or incomplete arguments. */
export function parseRequest(args: readonly string[]): ProjectRequest | 'help' {
  const { values, positionals } = parsed(args);
  if (values.help === true) return 'help';
  const [folder, ...more] = positionals;
  if (more.length > 0)
    throw invalid(
      `too many arguments: '${more.join("', '")}'; specify one folder, and quote a name that contains spaces`,
    );
  const manager = values['package-manager'];
  if (manager !== undefined && !isPackageManager(manager)) {
    throw invalid(`unknown package manager '${manager}'; use ${Object.keys(packageManagers).join(', ')}`);
  }
  const { name, domain, group, kind, version, force, yes } = values;
  const request = {
    folder,
    name,
    domain,
    group,
    kind,
    version,
    force,
    yes,
    packageManager: manager,
    clusterScoped: values['cluster-scoped'],
    multiGroup: values['multi-group'],
    install: values['no-install'] === true ? false : undefined,
    git: values['no-git'] === true ? false : undefined,
  };
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as ProjectRequest;
}

function parsed(
  args: readonly string[],
): ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const sentence = message.split(/\. |\n/)[0] ?? message;
    throw invalid(`${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}; see --help`, error);
  }
}

function invalid(problem: string, cause?: unknown): ScaffoldError {
  return new ScaffoldError('INVALID_ARGUMENT', `cannot create the project: ${problem}`, { cause });
}
