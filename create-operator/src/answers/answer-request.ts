import { resolve } from 'node:path';
import type { ProjectRequest } from '../command/project-request.js';
import type { Environment } from '../command/environment.js';
import { packageManagerOf } from '../scaffold/package-managers.js';
import type { ScaffoldOptions } from '../scaffold/scaffold-options.js';
import { checkAnswers } from './check-answers.js';
import { DEFAULT_DOMAIN, defaultKind, defaultName } from './default-answers.js';
import { domainProblem, groupProblem, kindProblem, nameProblem } from './name-problems.js';
import { Questions } from './questions.js';

/** The complete options of a new project, and its folder. */
export interface Answers {
  readonly root: string;
  readonly options: ScaffoldOptions;
}

/**
 * Completes the request: asks questions at a terminal. Elsewhere, or if `yes` is true, uses defaults. Throws INVALID_NAME for invalid
 * names, and CANCELLED if the user cancels a question.
 */
export async function answerRequest(request: ProjectRequest, environment: Environment): Promise<Answers> {
  const asks = environment.interactive && request.yes !== true;
  const options = asks ? await requested(request, environment) : defaults(request, environment.cwd);
  const complete = { packageManager: packageManagerOf(environment.env), ...options };
  checkAnswers(complete);
  return { root: resolve(environment.cwd, request.folder ?? complete.name), options: complete };
}

function defaults(request: ProjectRequest, cwd: string): ScaffoldOptions {
  const name = request.name ?? defaultName(request, cwd);
  return {
    name,
    domain: request.domain ?? DEFAULT_DOMAIN,
    group: request.group ?? '',
    kind: request.kind ?? defaultKind(name),
    version: request.version ?? 'v1',
    namespaced: request.clusterScoped !== true,
    ...(request.multiGroup && { multiGroup: true }),
    ...(request.packageManager && { packageManager: request.packageManager }),
  };
}

/** Asks only for values that the request does not have. Throws INVALID_NAME for invalid values of the request before the first question. */
async function requested(request: ProjectRequest, environment: Environment): Promise<ScaffoldOptions> {
  const given = defaults(request, environment.cwd);
  checkAnswers(given);
  const questions = await Questions.open(environment);
  questions.begin('A Kubernetes operator in TypeScript');
  const name =
    request.name ??
    (request.folder === undefined
      ? await questions.text({ message: 'What is the name of the project?', initial: given.name, problem: nameProblem })
      : given.name);
  const domain =
    request.domain ??
    (await questions.text({
      message: 'What is the domain of your API groups?',
      initial: given.domain,
      problem: domainProblem,
    }));
  const group =
    request.group ??
    (await questions.text({
      message: `What is the group, without '.${domain}'?`,
      initial: '',
      placeholder: 'none',
      problem: (answer) => groupProblem(answer, domain),
    }));
  const kind =
    request.kind ??
    (await questions.text({
      message: 'Which kind does the operator reconcile?',
      initial: defaultKind(name),
      problem: kindProblem,
    }));
  const namespaced =
    request.clusterScoped === undefined
      ? await questions.choice(`Is the kind ${kind} namespaced or cluster-scoped?`, {
          yes: 'namespaced',
          no: 'cluster-scoped',
        })
      : !request.clusterScoped;
  return { ...given, name, domain, group, kind, namespaced };
}
