// Implements the option --watch of the test commands.
import { watch } from 'node:fs';
import { sep } from 'node:path';
import { root } from './setup.mjs';

/** The time in milliseconds without a change after which the tests run, because editors and Git write several files one after the other. */
const QUIET_MS = 100;
const IGNORED = /(^|\/)(node_modules|dist|\.[^/]+)(\/|$)|\.tsbuildinfo$/;

/** Calls `run` immediately and after each change of a file in the repository, except build output and hidden files. Runs until Ctrl-C. */
export function runOnSave(run) {
  let timer;
  const runOnce = () => {
    run();
    console.log('watch: waiting for changes; press Ctrl-C to stop');
  };
  watch(root, { recursive: true }, (_event, path) => {
    if (path === null || IGNORED.test(path.split(sep).join('/'))) return;
    clearTimeout(timer);
    timer = setTimeout(runOnce, QUIET_MS);
  });
  runOnce();
}
