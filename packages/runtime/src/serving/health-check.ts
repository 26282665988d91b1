import type { IncomingMessage } from 'node:http';

/** One question about the state of the process. */
export interface HealthCheck {
  /** The last part of the path under which it is asked for by itself, such as 'leader-election'. */
  readonly name: string;
  /** Nothing when all is well. A text, or an error that is thrown, is the reason why not. */
  check(request: IncomingMessage): void | string | undefined | Promise<void | string | undefined>;
}

/** How a check went. */
export interface CheckResult {
  readonly name: string;
  /** Why it is not well; undefined when it is, or was not asked. */
  readonly reason: string | undefined;
  readonly excluded: boolean;
}

/** Asks the checks that are not excluded, all at once. Never rejects. */
export function runChecks(
  checks: readonly HealthCheck[],
  request: IncomingMessage,
  excluded: ReadonlySet<string> = new Set(),
): Promise<readonly CheckResult[]> {
  return Promise.all(
    checks.map(async (check) => {
      const { name } = check;
      if (excluded.has(name)) return { name, excluded: true, reason: undefined };
      return { name, excluded: false, reason: await reasonOf(check, request) };
    }),
  );
}

async function reasonOf(check: HealthCheck, request: IncomingMessage): Promise<string | undefined> {
  try {
    const answer = await check.check(request);
    return typeof answer === 'string' && answer !== '' ? answer : undefined;
  } catch (error) {
    return error instanceof Error ? error.message || error.name : String(error);
  }
}
