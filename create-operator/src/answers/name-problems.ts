import { kebabCase } from '../scaffold/kind-names.js';

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const VERSION = /^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$/;
/** The maximum length of a project name. Longer names, such as the names of the Service and the namespace, are derived from this name. */
const NAME_LENGTH = 50;
const KIND_LENGTH = 60;

/** Returns the error in the name of a project, with a suggested name. Returns undefined for a valid name. */
export function nameProblem(name: string): string | undefined {
  if (name.length > NAME_LENGTH) {
    return `name '${name}' is too long for the objects that are named after it; use at most ${NAME_LENGTH} characters`;
  }
  if (!/^[a-z]/.test(name) || !LABEL.test(name)) {
    return `name '${name}' is not a valid name for a namespace; ${suggestion([name, asLabel(name)], 'my-operator', nameProblem)}`;
  }
  if (PACKAGES.has(name))
    return `name '${name}' is the name of a package that the project needs; use '${name}-operator'`;
  return undefined;
}

/** Returns the error in the domain of the API groups, with a suggestion. Returns undefined for a valid domain. */
export function domainProblem(domain: string): string | undefined {
  const long = domain.length > 253 || domain.split('.').some((part) => part.length > 63);
  if (long || !domain.split('.').every((part) => LABEL.test(part))) {
    const host = domain
      .toLowerCase()
      .replace(/^[a-z]+:\/\//, '')
      .replace(/[/:].*$/, '');
    const better = host.replace(/[^a-z0-9.]+/g, '-').replace(/^[-.]+|[-.]+$/g, '');
    const rule = 'lowercase words separated by dots, with at most 63 characters per word and 253 in total';
    return `domain '${domain}' does not consist of ${rule}; ${suggestion([domain, better], 'example.com', domainProblem)}`;
  }
  if (!domain.includes('.')) return `domain '${domain}' has no dot; use '${domain}.local' or 'example.com'`;
  if (/(^|\.)(k8s|kubernetes)\.io$/.test(domain)) {
    return `domain '${domain}' is reserved for Kubernetes; use a domain of your own, such as 'example.com'`;
  }
  return undefined;
}

/**
 * Returns the error in the API group without its domain, with a suggestion. Returns undefined for a valid group. The empty group is valid.
 */
export function groupProblem(group: string, domain: string): string | undefined {
  if (group === '') return undefined;
  if (group === domain || group.endsWith(`.${domain}`)) {
    const short = group.slice(0, -domain.length - 1);
    return `group '${group}' contains the domain, which is added automatically; ${short === '' ? 'leave the group empty' : `use '${short}'`}`;
  }
  if (!group.split('.').every((part) => LABEL.test(part) && part.length <= 63)) {
    const rule = 'lowercase words separated by dots, with at most 63 characters per word';
    const remedy = suggestion([group, asLabel(group)], 'web', (better) => groupProblem(better, domain));
    return `group '${group}' does not consist of ${rule}; ${remedy}`;
  }
  return group.length + 1 + domain.length > 253
    ? `group '${group}.${domain}' is longer than 253 characters; use a shorter group`
    : undefined;
}

/** Returns the error in the name of a kind, with a suggestion. Returns undefined for a valid name. */
export function kindProblem(kind: string): string | undefined {
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind)) {
    const words = kind.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
    const better = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    return `kind '${kind}' is not a name in PascalCase; ${suggestion([kind, better], 'Website', kindProblem)}`;
  }
  if (kind.length < 3)
    return `kind '${kind}' is too short: bundlers generate names of this length; use at least 3 characters`;
  if (kind.length > KIND_LENGTH) return `kind '${kind}' is too long; use at most ${KIND_LENGTH} characters`;
  if (kind.endsWith('List'))
    return `kind '${kind}' is the name of the list of kind '${kind.slice(0, -4)}'; use a name that does not end in List`;
  if (TAKEN.has(kind))
    return `kind '${kind}' is a name that the code of an operator already uses; use 'My${kind}' or another name`;
  return undefined;
}

/** Returns the error in the version of a kind, with examples. Returns undefined for a valid version. */
export function versionProblem(version: string): string | undefined {
  if (VERSION.test(version)) return undefined;
  return `version '${version}' is not a valid version of a Kubernetes API; use 'v1', 'v1beta1' or 'v1alpha1'`;
}

/**
 * Converts a text to lowercase letters, digits and hyphens, with a letter at the beginning: 'My Operator' → 'my-operator'. Returns '' if no
 * valid character remains.
 */
export function asLabel(text: string): string {
  return kebabCase(text)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '');
}

/** Suggests the corrected answer if it is valid, and the example otherwise. */
function suggestion(
  [answer, better]: readonly [answer: string, better: string],
  example: string,
  problem: (better: string) => string | undefined,
): string {
  const fine = better !== '' && better !== answer && problem(better) === undefined;
  return fine ? `use '${better}'` : `use a name such as '${example}'`;
}

/** Packages that a project depends on. npm rejects a package that depends on itself. */
const PACKAGES = new Set(['reflect-metadata', 'tsyringe', 'typescript']);

/** Names that a kind cannot have: names that the files of a kind import or declare, and globals of JavaScript. */
const TAKEN = new Set(
  `AbortSignal Array Boolean Client Condition Controller CustomResource Date Default Deployment Error EventRecorder Field
  Function Infinity JSON Kind Manager Map Math NaN Number Object PrintColumn Promise Reconciler ReconcileContext Reflect
  RegExp Result Set String Symbol TestEnvironment`.split(/\s+/),
);
