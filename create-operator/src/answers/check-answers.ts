import type { ScaffoldOptions } from '../scaffold/scaffold-options.js';
import { ScaffoldError } from '../scaffold-error.js';
import { domainProblem, groupProblem, kindProblem, nameProblem, versionProblem } from './name-problems.js';

/** Throws one INVALID_NAME error that lists all names that Kubernetes or npm would reject. */
export function checkAnswers({ name, domain, group, kind, version }: ScaffoldOptions): void {
  const problems = [
    nameProblem(name),
    domainProblem(domain),
    groupProblem(group, domain),
    kindProblem(kind),
    versionProblem(version),
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0)
    throw new ScaffoldError('INVALID_NAME', `cannot create the project: ${problems.join('\n  and ')}`);
}
