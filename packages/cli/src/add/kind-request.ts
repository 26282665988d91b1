import { KubewrightError } from '@kubewright/api/errors';
import { groupOf, groupProblem, kindProblem, type KindFilesOptions, versionProblem } from 'create-operator';
import type { ProjectSources } from './project-sources.js';

/** The names of a kind, as a command was given them. */
export interface KindRequest {
  /** With or without the domain of the project. @default the group of the project's kinds */
  readonly group?: string;
  readonly kind: string;
  readonly version: string;
}

/** The group and the domain of a new kind, as the files of a project need them. */
export type GroupNames = Pick<KindFilesOptions, 'group' | 'domain'>;

/**
 * The group of a new kind: one with a dot is whole unless it is below the domain of the project, which is added to others.
 * @throws KubewrightError WRONG_USAGE where no group is given and none can be told, or it is none
 */
export function groupNames({ kinds, project }: ProjectSources, request: KindRequest): GroupNames {
  const { domain } = project.settings;
  const { group } = request;
  const known = [...new Set(kinds.flatMap((each) => each.group ?? []))].toSorted();
  if (group === undefined) {
    const [only, ...more] = known.length > 0 ? known : domain === undefined ? [] : [domain];
    if (only !== undefined && more.length === 0) return namesOf(only, domain);
    throw wrongUsage(
      request.kind,
      known.length === 0
        ? 'no group is given; say --group web.example.com'
        : `there are the groups ${known.join(', ')}; say --group with one of them`,
    );
  }
  if (group.includes('.') || group === '')
    return checked(request, namesOf(group === '' ? (domain ?? '') : group, domain));
  if (domain === undefined) {
    throw wrongUsage(
      request.kind,
      `group '${group}' has no domain; say --group ${group}.example.com, or write "kubewright": { "domain": "example.com" } in package.json`,
    );
  }
  return checked(request, { group, domain });
}

/**
 * Refuses names that Kubernetes would refuse.
 * @throws KubewrightError WRONG_USAGE telling what to type instead
 */
export function checkNames({ kind, version }: KindRequest): void {
  const problem = kindProblem(kind) ?? versionProblem(version);
  if (problem !== undefined) throw wrongUsage(kind, problem);
}

function checked(request: KindRequest, names: GroupNames): GroupNames {
  const problem = groupProblem(names.group, names.domain);
  if (problem !== undefined) throw wrongUsage(request.kind, problem);
  if (!groupOf(names).includes('.')) {
    throw wrongUsage(request.kind, `group '${groupOf(names)}' has no dot; say --group web.example.com`);
  }
  return names;
}

/** A whole group apart into what stands before the domain of the project, and that. */
function namesOf(group: string, domain: string | undefined): GroupNames {
  if (domain === undefined || group === domain) return { group: '', domain: group };
  return group.endsWith(`.${domain}`)
    ? { group: group.slice(0, -domain.length - 1), domain }
    : { group: '', domain: group };
}

/** An error about what a command was told. */
export function wrongUsage(kind: string, mistake: string): KubewrightError {
  return new KubewrightError('WRONG_USAGE', `cannot add ${kind}: ${mistake}`);
}
