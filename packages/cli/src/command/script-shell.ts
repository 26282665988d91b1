const INTERVAL_MS = 250;

/**
 * Calls `ended` when the parent shell exits, if a package manager runs this process as a script in that shell. `npm run dev` sends SIGTERM
 * only to the shell, and some shells exit without forwarding the signal. Does nothing if no package manager started the process, because
 * such a process may continue after the parent exits.
 */
export function whenScriptShellEnds(env: NodeJS.ProcessEnv, ended: () => void): void {
  if (env['npm_lifecycle_event'] === undefined) return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    ended();
  }, INTERVAL_MS);
  timer.unref();
}
