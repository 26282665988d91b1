import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TemporaryProject } from '../test-support/temporary-project.js';

/** A history of an older version. */
const WITHOUT_FIELDS = {
  kind: { apiVersion: 'example.com/v1', kind: 'Website' },
  trial: { steps: [] },
  oracle: 'history',
  signature: 'history ConfigMap',
};

/** Wrong arguments, and the expected message. */
const wrong: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [['--budget', 'soon'], /^error: invalid --budget soon: use a duration such as 90s or 5m$/m],
  [['--budget', '0s'], /^error: invalid --budget 0s/m],
  [['--seed', '-1'], /^error: invalid --seed -1: use a whole number from 0 to 4294967295$/m],
  [['--seed', '1.5'], /^error: invalid --seed 1\.5/m],
  [['--workers', '0'], /^error: invalid --workers 0: use a whole number from 1 to 256$/m],
  [['--write', 'src/found.js'], /^error: invalid --write src\/found\.js: use the path of a TypeScript file/m],
  [['--write', 'src/main.ts'], /^error: cannot write src\/main\.ts: the file exists/m],
  [['--replay', 'absent.json'], /^error: cannot replay .*absent\.json: the file does not exist/m],
  [['--replay', 'package.json'], /^error: cannot replay .*: the file is not a history/m],
  [['--replay', 'old.json'], /^error: cannot replay .*: the file is not a history/m],
  [['--replay', 'absent.json', '--kind', 'website'], /cannot be used with option/],
  [['--replay', 'absent.json', '--write', 'src/found.test.ts'], /cannot be used with option/],
  [['--unknown'], /unknown option/],
];

test('kubewright explore exits with 2 for wrong arguments, before it compiles the project', async (t) => {
  const project = await TemporaryProject.make(t);
  await project.write('old.json', JSON.stringify(WITHOUT_FIELDS));
  for (const [args, message] of wrong) {
    const { exitCode, stderr } = await project.run('explore', ...args);
    assert.match(stderr, message);
    assert.equal(exitCode, 2, args.join(' '));
  }
});

test('kubewright explore exits with 3 if explore.accepted.json is not valid, and states the format', async (t) => {
  const project = await TemporaryProject.make(t);
  await project.write('explore.accepted.json', '["history ConfigMap"]');
  const { exitCode, stderr } = await project.run('explore');
  assert.match(stderr, /^error: cannot read explore\.accepted\.json: it is not valid; write an object with a reason/m);
  assert.equal(exitCode, 3);
});
