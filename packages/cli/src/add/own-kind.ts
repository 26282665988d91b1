import { nearest } from '@kubewright/api/names';
import { invalidUsage } from './kind-request.js';
import type { ProjectSources } from './project-sources.js';
import type { KindDeclaration } from './source/kind-declarations.js';

/** Specifies a kind of the project. */
export interface KindChoice {
  readonly kind: string;
  /** The complete group, or the part before the domain. */
  readonly group?: string;
}

/**
 * Returns every version of a kind of the project.
 * @param otherKinds further possible kinds, such as the built-in kinds; the error suggests the nearest name
 * @throws KubewrightError INVALID_USAGE if the project does not declare the kind in the group, or declares the kind in several groups
 */
export function ownKind(
  sources: ProjectSources,
  { kind, group }: KindChoice,
  otherKinds: readonly string[] = [],
): readonly KindDeclaration[] {
  const named = sources.kinds.filter((each) => each.kind === kind);
  const matching = named.filter((each) => group === undefined || isGroup(each, group, sources));
  const groups = [...new Set(matching.map((each) => each.group ?? ''))];
  if (matching.length === 0 && named.length > 0) {
    const declared = [...new Set(named.map((each) => each.group ?? ''))];
    throw invalidUsage(
      `to ${kind}`,
      `the project declares this kind in ${declared.join(' and ')}, not in the group ${group}; pass --group ${declared[0]}`,
    );
  }
  if (matching.length === 0) {
    const known = [...new Set(sources.kinds.map((each) => each.kind))].toSorted();
    const others = known.length === 0 ? 'the project declares no kinds' : `the project declares ${known.join(', ')}`;
    const near = nearest(kind, [...known, ...otherKinds]);
    const remedy = near === undefined || near === kind ? '' : `did you mean ${near}? Otherwise `;
    throw invalidUsage(`to ${kind}`, `${others}; ${remedy}run: kubewright add api --kind ${kind}`);
  }
  if (groups.length > 1) {
    throw invalidUsage(
      `to ${kind}`,
      `the groups ${groups.join(' and ')} have this kind; pass --group with one of them`,
    );
  }
  return matching;
}

function isGroup(kind: KindDeclaration, group: string, { project }: ProjectSources): boolean {
  return kind.group === group || kind.group === `${group}.${project.settings.domain}`;
}
