import { kebabCase } from '../scaffold/kind-names.js';

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const VERSION = /^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$/;
/** Names that are derived from the project name, such as the name of the Service, are up to 13 characters longer. */
const NAME_LENGTH = 50;
const KIND_LENGTH = 60;

/** Returns what is wrong with the name of a project and suggests a valid name; undefined for a valid name. */
export function nameProblem(name: string): string | undefined {
  if (name.length > NAME_LENGTH) {
    return `name '${name}' is too long for what is named after it in a cluster; type at most ${NAME_LENGTH} characters`;
  }
  if (!/^[a-z]/.test(name) || !LABEL.test(name)) {
    return `name '${name}' cannot be that of a namespace; ${suggestion([name, asLabel(name)], 'my-operator', nameProblem)}`;
  }
  if (PACKAGES.has(name)) return `name '${name}' is that of a package that the project needs; type '${name}-operator'`;
  return undefined;
}

/** Returns what is wrong with the domain of the API groups; undefined for a valid domain. */
export function domainProblem(domain: string): string | undefined {
  const long = domain.length > 253 || domain.split('.').some((part) => part.length > 63);
  if (long || !domain.split('.').every((part) => LABEL.test(part))) {
    const host = domain
      .toLowerCase()
      .replace(/^[a-z]+:\/\//, '')
      .replace(/[/:].*$/, '');
    const better = host.replace(/[^a-z0-9.]+/g, '-').replace(/^[-.]+|[-.]+$/g, '');
    return `domain '${domain}' is not one of lower-case words with dots between them; ${suggestion([domain, better], 'example.com', domainProblem)}`;
  }
  if (!domain.includes('.')) return `domain '${domain}' has no dot; type '${domain}.local' or 'example.com'`;
  if (/(^|\.)(k8s|kubernetes)\.io$/.test(domain)) {
    return `domain '${domain}' belongs to Kubernetes, which refuses groups of others in it; type a domain of your own, such as 'example.com'`;
  }
  return undefined;
}

/** Returns what is wrong with a group, which precedes the domain; undefined for a valid group. The empty group is valid. */
export function groupProblem(group: string, domain: string): string | undefined {
  if (group === '') return undefined;
  if (group === domain || group.endsWith(`.${domain}`)) {
    const short = group.slice(0, -domain.length - 1);
    return `group '${group}' has the domain in it, which is added; ${short === '' ? 'leave it empty' : `type '${short}'`}`;
  }
  if (!group.split('.').every((part) => LABEL.test(part) && part.length <= 63)) {
    return `group '${group}' is not a word in lower case; ${suggestion([group, asLabel(group)], 'web', (better) => groupProblem(better, domain))}`;
  }
  return group.length + 1 + domain.length > 253
    ? `group '${group}.${domain}' is longer than 253 characters; type a shorter one`
    : undefined;
}

/** Returns what is wrong with the name of a kind; undefined for a valid name. */
export function kindProblem(kind: string): string | undefined {
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind)) {
    const words = kind.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
    const better = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    return `kind '${kind}' is not a name in PascalCase; ${suggestion([kind, better], 'Website', kindProblem)}`;
  }
  if (kind.length < 3)
    return `kind '${kind}' is too short to be told from a name that a bundler made; type at least 3 letters`;
  if (kind.length > KIND_LENGTH) return `kind '${kind}' is too long; type at most ${KIND_LENGTH} characters`;
  if (kind.endsWith('List'))
    return `kind '${kind}' looks like the list of a kind '${kind.slice(0, -4)}'; type a name that does not end in List`;
  if (TAKEN.has(kind))
    return `kind '${kind}' is a name that the code of an operator needs for something else; type 'My${kind}' or another one`;
  return undefined;
}

/** Returns what is wrong with the version of a kind; undefined for a valid version. */
export function versionProblem(version: string): string | undefined {
  if (VERSION.test(version)) return undefined;
  return `version '${version}' is not one that Kubernetes can order; type 'v1', 'v1beta1' or 'v1alpha1'`;
}

/** Converts a text to a label: 'My Operator' → 'my-operator'. Returns '' if no valid character remains. */
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
  return fine ? `type '${better}'` : `type one such as '${example}'`;
}

/** Packages that a project depends on. npm rejects a package that depends on itself. */
const PACKAGES = new Set(['reflect-metadata', 'tsyringe', 'typescript']);

/** Names that the files of a kind import, and globals of JavaScript. */
const TAKEN = new Set(
  `AbortSignal Array Boolean Client Condition Controller CustomResource Date Default Deployment Error EventRecorder Field
  Function Infinity JSON Kind Manager Map Math NaN Number Object PrintColumn Promise Reconciler ReconcileContext Reflect
  RegExp Result Set String Symbol TestEnvironment`.split(/\s+/),
);
