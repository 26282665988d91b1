import { KubewrightError } from '@kubewright/api/errors';
import { groupOf, groupProblem, kindProblem, type KindFilesOptions, versionProblem } from 'create-operator';
import type { ProjectSources } from './project-sources.js';

/** The names of a kind in the options of a command. */
export interface KindRequest {
  /** The API group, with or without the domain of the project. @default the group of the project's kinds, or the domain */
  readonly group?: string;
  readonly kind: string;
  readonly version: string;
}

/** The group and the domain of a new kind, as the file templates require them. */
export type GroupNames = Pick<KindFilesOptions, 'group' | 'domain'>;

/**
 * Returns the group of a new kind. A group with a dot is complete; the function splits off the domain of the project. A group without a dot
 * gets the domain of the project as a suffix. An empty group is the domain itself. If the request has no group, returns the only group of
 * the project's kinds, or the domain if the project has no kinds.
 * @throws KubewrightError INVALID_USAGE if the group is missing and has no unique default, if the group has no dot and the project has no
 *   domain, or if the group is invalid
 */
export function groupNames({ kinds, project }: ProjectSources, request: KindRequest): GroupNames {
  const { domain } = project.settings;
  const { group } = request;
  const known = [...new Set(kinds.flatMap((each) => each.group ?? []))].toSorted();
  if (group === undefined) {
    const [only, ...more] = known.length > 0 ? known : domain === undefined ? [] : [domain];
    if (only !== undefined && more.length === 0) return namesOf(only, domain);
    throw invalidUsage(
      request.kind,
      known.length === 0
        ? 'the group is missing; pass --group web.example.com'
        : `the project has the groups ${known.join(', ')}; pass --group with one of them`,
    );
  }
  if (group.includes('.') || group === '')
    return checked(request, namesOf(group === '' ? (domain ?? '') : group, domain));
  if (domain === undefined) {
    throw invalidUsage(
      request.kind,
      `group '${group}' has no domain; pass --group ${group}.example.com, or set "kubewright": { "domain": "example.com" } in package.json`,
    );
  }
  return checked(request, { group, domain });
}

/**
 * Rejects a kind or a version whose name Kubernetes would reject.
 * @throws KubewrightError INVALID_USAGE with a suggestion
 */
export function checkNames({ kind, version }: KindRequest): void {
  const problem = kindProblem(kind) ?? versionProblem(version);
  if (problem !== undefined) throw invalidUsage(kind, problem);
}

function checked(request: KindRequest, names: GroupNames): GroupNames {
  const problem = groupProblem(names.group, names.domain);
  if (problem !== undefined) throw invalidUsage(request.kind, problem);
  if (!groupOf(names).includes('.')) {
    throw invalidUsage(request.kind, `group '${groupOf(names)}' has no dot; pass --group web.example.com`);
  }
  return names;
}

/**
 * Splits a complete group into the part before the domain of the project, and the domain. If the group is not below that domain, the domain
 * is the complete group.
 */
function namesOf(group: string, domain: string | undefined): GroupNames {
  if (domain === undefined || group === domain) return { group: '', domain: group };
  return group.endsWith(`.${domain}`)
    ? { group: group.slice(0, -domain.length - 1), domain }
    : { group: '', domain: group };
}

/** Creates an error for invalid options of `kubewright add`. */
export function invalidUsage(kind: string, problem: string): KubewrightError {
  return new KubewrightError('INVALID_USAGE', `cannot add ${kind}: ${problem}`);
}
