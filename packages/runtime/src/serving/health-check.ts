import type { IncomingMessage } from 'node:http';

/** A check of the state of the process. */
export interface HealthCheck {
  /** The last segment of the path for this single check, such as 'leader-election'. */
  readonly name: string;
  /** Runs the check. Returns undefined or an empty text if the check passes. A text or a thrown error is the reason for a failure. */
  check(request: IncomingMessage): void | string | undefined | Promise<void | string | undefined>;
}

/** The result of a check. */
export interface CheckResult {
  readonly name: string;
  /** The reason of a failure. Undefined if the check passed or was excluded. */
  readonly reason: string | undefined;
  readonly excluded: boolean;
}

/** Runs the checks that are not excluded, concurrently. Never rejects. */
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
