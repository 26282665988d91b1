import type { IncomingMessage } from 'node:http';
import { messageOf } from '@kubewright/api/errors';

/** A health check of the process. */
export interface HealthCheck {
  /** The name of the check, which is the last segment of its path, such as 'leader-election'. */
  readonly name: string;
  /** Runs the check. Returns undefined or '' if the check passes. If the check fails, returns the reason or throws an error. */
  check(request: IncomingMessage): void | string | undefined | Promise<void | string | undefined>;
  /**
   * Returns whether a request for all checks skips this check, as with `?exclude=NAME`. A request for this check alone always runs the
   * check.
   * @default always false
   */
  isExcluded?(): boolean;
}

/** The result of a health check. */
export interface CheckResult {
  readonly name: string;
  /** Why the check failed. Undefined if the check passed or was excluded. */
  readonly reason: string | undefined;
  readonly excluded: boolean;
}

/** Runs one check, even if `isExcluded` returns true. Never rejects. */
export async function runCheck(check: HealthCheck, request: IncomingMessage): Promise<CheckResult> {
  return { name: check.name, excluded: false, reason: await reasonOf(check, request) };
}

/** Runs the checks concurrently, except the excluded checks. Never rejects. */
export function runChecks(
  checks: readonly HealthCheck[],
  request: IncomingMessage,
  excluded: ReadonlySet<string>,
): Promise<readonly CheckResult[]> {
  return Promise.all(
    checks.map(async (check) => {
      const { name } = check;
      if (excluded.has(name) || check.isExcluded?.() === true) return { name, excluded: true, reason: undefined };
      return runCheck(check, request);
    }),
  );
}

async function reasonOf(check: HealthCheck, request: IncomingMessage): Promise<string | undefined> {
  try {
    const answer = await check.check(request);
    return typeof answer === 'string' && answer !== '' ? answer : undefined;
  } catch (error) {
    return error instanceof Error ? error.message || error.name : messageOf(error);
  }
}
