import { builtInKinds } from '@kubewright/api/built-in';
import type { KindInfo } from '@kubewright/api/metadata';

/** Specifies a built-in kind. */
export interface BuiltInChoice {
  readonly kind: string;
  /** The complete group or its first segment; 'core' or '' for the core group. @default any group, preferably not `events.k8s.io` */
  readonly group?: string;
  /** The version of the kind. @default the newest stable version, or the newest version if none is stable */
  readonly version?: string;
}

/** A built-in kind, and the module that exports its class. */
export interface BuiltInFound {
  readonly info: KindInfo;
  readonly module: string;
}

/**
 * Returns the requested built-in kind; undefined if there is none. Among several matches, prefers groups other than `events.k8s.io`, and
 * then the newest version. Stable versions precede beta and alpha versions.
 */
export function builtInKind({ kind, group, version }: BuiltInChoice): BuiltInFound | undefined {
  const [info] = builtInKinds()
    .filter((each) => each.kind === kind && (group === undefined || isGroup(each.group, group)))
    .filter((each) => version === undefined || each.version === version)
    .toSorted((a, b) => Number(a.group === 'events.k8s.io') - Number(b.group === 'events.k8s.io') || rank(b) - rank(a));
  if (info === undefined) return undefined;
  const folder = info.group === '' ? 'core' : info.group.split('.')[0];
  return { info, module: `@kubewright/api/${folder}/${info.version}` };
}

function isGroup(group: string, requested: string): boolean {
  return group === requested || (group.split('.')[0] || 'core') === requested;
}

/** Ranks stable versions higher than beta and alpha versions, and newer versions higher than older versions. */
function rank({ version }: KindInfo): number {
  const [, major = '0', stage, minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  const stages = { alpha: 0, beta: 1 } as const;
  return (stage === undefined ? 2 : stages[stage as 'alpha']) * 1e6 + Number(major) * 1e3 + Number(minor);
}
