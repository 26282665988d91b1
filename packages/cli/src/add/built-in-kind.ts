import { builtInKinds } from '@kubewright/api/built-in';
import type { KindInfo } from '@kubewright/api/metadata';

/** Which built-in kind is meant. */
export interface BuiltInChoice {
  readonly kind: string;
  /** Whole or its first word; 'core' or '' for that of Pods. @default the first that has the kind */
  readonly group?: string;
  /** @default the newest that is stable */
  readonly version?: string;
}

/** A kind of Kubernetes itself, and the module that has it. */
export interface BuiltInFound {
  readonly info: KindInfo;
  readonly module: string;
}

/** The built-in kind that is meant; undefined where there is none. Of several groups the one of longest standing counts. */
export function builtInKind({ kind, group, version }: BuiltInChoice): BuiltInFound | undefined {
  const [info] = builtInKinds()
    .filter((each) => each.kind === kind && (group === undefined || isGroup(each.group, group)))
    .filter((each) => version === undefined || each.version === version)
    .toSorted((a, b) => Number(a.group === 'events.k8s.io') - Number(b.group === 'events.k8s.io') || rank(b) - rank(a));
  if (info === undefined) return undefined;
  const folder = info.group === '' ? 'core' : info.group.split('.')[0];
  return { info, module: `@kubewright/api/${folder}/${info.version}` };
}

function isGroup(group: string, wanted: string): boolean {
  return group === wanted || (group.split('.')[0] || 'core') === wanted;
}

/** Stable versions before others, newer ones before older ones. */
function rank({ version }: KindInfo): number {
  const [, major = '0', stage, minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  const stages = { alpha: 0, beta: 1 } as const;
  return (stage === undefined ? 2 : stages[stage as 'alpha']) * 1e6 + Number(major) * 1e3 + Number(minor);
}
