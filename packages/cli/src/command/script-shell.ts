const INTERVAL_MS = 250;

/**
 * Calls `ended` when the shell with which a package manager runs this process as a script ends. `npm run dev` forwards SIGTERM only to that
 * shell, and some shells end without forwarding the signal. Does nothing if no package manager started the process, because such a process
 * may outlive its parent.
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
