import { writeSync } from 'node:fs';
import { inspect } from 'node:util';
import { maskErrorInPlace, maskTexts } from './mask-error.js';
import { maskText } from './mask-text.js';

/**
 * Masks secrets in uncaught errors before Node.js prints them. The process then exits as usual. Errors that the program handles with
 * `uncaughtException` are not changed. Further calls have no effect.
 */
export function maskCrashReports(): void {
  if (!process.listeners('uncaughtExceptionMonitor').includes(maskUncaught)) {
    process.on('uncaughtExceptionMonitor', maskUncaught);
  }
}

/** Masks an uncaught error. Node.js calls this function before it prints the error. */
function maskUncaught(error: unknown): void {
  if (process.listenerCount('uncaughtException') > 0 || process.hasUncaughtExceptionCaptureCallback()) return;
  if (error instanceof Error && maskErrorInPlace(error)) return;
  // A frozen error, or a value that is not an error, cannot be changed. Print a masked copy instead.
  writeSync(process.stderr.fd, `Uncaught ${maskText(inspect(error instanceof Error ? error : maskTexts(error)))}\n`);
  process.exit(process.exitCode ?? 1);
}
