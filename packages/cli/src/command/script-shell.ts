const INTERVAL_MS = 250;

/**
 * Calls back when the shell of a package manager ends that runs this process as a script. `npm run dev` forwards SIGTERM to that shell
 * only, and some shells end without forwarding it. Does nothing for a process that no package manager started: such a process may outlive
 * its parent.
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
