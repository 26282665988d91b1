import { type FieldError, fieldErrors } from '@kubewright/api/schema';

/** A level of the Pod Security Standards. */
export type SecurityLevel = 'privileged' | 'baseline' | 'restricted';

/** A level with the checks of one Kubernetes version. `version` is 'latest' or 'v1.N'. */
export interface LevelVersion {
  readonly level: SecurityLevel;
  readonly version: string;
}

/** The levels of a namespace. The server rejects Pods that violate `enforce`, and warns about objects that violate `warn`. */
export interface SecurityPolicy {
  readonly enforce: LevelVersion;
  readonly warn: LevelVersion;
  /** The errors of invalid labels. */
  readonly errors: readonly FieldError[];
}

const prefix = 'pod-security.kubernetes.io/';
/** The levels, from the least to the most restrictive level. */
const levels: readonly SecurityLevel[] = ['privileged', 'baseline', 'restricted'];

/** Returns the level and the version as in messages, such as `restricted:latest`. */
export function levelText({ level, version }: LevelVersion): string {
  return `${level}:${version}`;
}

/** Returns a negative number if the first level is less restrictive, 0 for equal levels, and otherwise a positive number. */
export function compareLevels(a: SecurityLevel, b: SecurityLevel): number {
  return levels.indexOf(a) - levels.indexOf(b);
}

/**
 * Returns the policy that the labels of a namespace declare, and the errors of invalid labels. An invalid level to enforce counts as
 * `restricted`, any other invalid level as `privileged`, and an invalid version as `latest`. Without a level to warn about, the server
 * warns about violations of the enforced level. The warnings also apply to workloads, whose Pods the server would reject.
 */
export function securityPolicy(labels: Readonly<Record<string, string>>): SecurityPolicy {
  const errors: FieldError[] = [];
  const read = (mode: string, fallback: SecurityLevel): LevelVersion & { readonly isValid: boolean } => {
    const [given, version = 'latest'] = [labels[prefix + mode], labels[`${prefix}${mode}-version`]];
    const level = levels.find((known) => known === given);
    const fail = (label: string, value: string, why: string): void => {
      errors.push(fieldErrors.invalid(`metadata.labels[${prefix}${label}]`, value, why));
    };
    if (given !== undefined && level === undefined) fail(mode, given, `must be one of ${levels.join(', ')}`);
    const isVersion = version === 'latest' || /^v1\.(?:\d|[1-9]\d*)$/.test(version);
    if (!isVersion) fail(`${mode}-version`, version, 'must be "latest" or "v1.x"');
    return {
      level: level ?? (given === undefined ? 'privileged' : fallback),
      version: isVersion ? version : 'latest',
      isValid: level !== undefined,
    };
  };
  const enforce = read('enforce', 'restricted');
  read('audit', 'privileged');
  const warn = read('warn', 'privileged');
  const inherits = labels[`${prefix}warn`] === undefined && enforce.isValid && enforce.level !== 'privileged';
  const hasVersion = labels[`${prefix}warn-version`] !== undefined;
  return {
    enforce,
    warn: inherits ? { level: enforce.level, version: hasVersion ? warn.version : enforce.version } : warn,
    errors,
  };
}
