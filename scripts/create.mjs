// npm run create -- [FOLDER] [OPTION …]: creates a project like `npm create operator@latest`, but with the packages of this clone. The
// folder vendor of the project contains the packages as tarballs, so that the project does not depend on the clone.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { packInto } from './published-packages.mjs';
import { root, setUp } from './setup.mjs';

setUp();
const { runCreateOperator, ScaffoldError } = await import('../create-operator/dist/index.js');
const tarballs = mkdtempSync(join(tmpdir(), 'kubewright-create-'));
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());
try {
  process.exitCode = await runCreateOperator(process.argv.slice(2), {
    // INIT_CWD is the folder of the user. npm changes the working directory to the folder of the clone before it runs a script.
    cwd: process.env.INIT_CWD ?? process.cwd(),
    env: outsideOfScripts(process.env),
    interactive: process.stdin.isTTY && process.stdout.isTTY && (process.env.CI ?? '') === '',
    line: (text) => process.stdout.write(`${text}\n`),
    error: (text) => process.stderr.write(`${text}\n`),
    signal: stopping.signal,
    packagesFor,
  });
} finally {
  rmSync(tarballs, { recursive: true, force: true });
}

async function packagesFor(project) {
  const path = relative(root, project);
  if (path === '' || (path !== '..' && !path.startsWith(`..${sep}`)))
    throw new ScaffoldError(
      'INVALID_ARGUMENT',
      `cannot create a project in ${project}: the folder is inside the clone of Kubewright; use a folder outside the clone, such as ../my-operator`,
    );
  console.log('packing the packages of this clone …');
  const packed = await packInto(tarballs);
  return packed.map(({ name, filename }) => ({ name, path: join(tarballs, filename) }));
}

/** Returns the environment without the variables that npm adds for scripts of the clone. Does not remove the npm settings of the user. */
function outsideOfScripts(env) {
  const added = /^(npm_(package|lifecycle)_.*|npm_config_(local_prefix|prefix|global_prefix)|npm_command|INIT_CWD)$/i;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !added.test(name)));
}
