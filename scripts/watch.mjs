// The option --watch of the test commands.
import { watch } from 'node:fs';
import { sep } from 'node:path';
import { root } from './setup.mjs';

/** Time without a further change after which the tests run again. Editors and git write several files at once. */
const QUIET_MS = 100;
const IGNORED = /(^|\/)(node_modules|dist|\.[^/]+)(\/|$)|\.tsbuildinfo$/;

/** Calls `run`, and calls it again after each change of a file in the repository, except for build output. Does not return. */
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
