import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import type { ProjectRequest } from '../command/project-request.js';
import { answerRequest } from './answer-request.js';

const ENTER = '\r';
const CTRL_C = '\u0003';

/** Answers the questions in the given order. Sends each answer as soon as its question appears in the output. */
async function answer(request: ProjectRequest, answers: readonly (readonly [question: string, keys: string])[]) {
  const stdin = new PassThrough();
  const stdout = Object.assign(new PassThrough(), { columns: 120, rows: 40, isTTY: true });
  const unanswered = [...answers];
  let seen = '';
  stdout.on('data', (chunk: Buffer) => {
    seen += chunk.toString('utf8');
    const [next] = unanswered;
    if (next === undefined || !seen.includes(next[0])) return;
    unanswered.shift();
    seen = '';
    setImmediate(() => stdin.write(next[1]));
  });
  const result = await answerRequest(request, {
    cwd: '/home/me',
    env: {},
    interactive: true,
    line: () => {},
    stdin,
    stdout,
  });
  assert.deepEqual(unanswered, []);
  return result;
}

test('answerRequest offers a default for each question', async () => {
  const { root, options } = await answer({}, [
    ['What is the name of the project?', ENTER],
    ['What is the domain', ENTER],
    ['What is the group', ENTER],
    ['Which kind', ENTER],
    ['namespaced or cluster-scoped?', ENTER],
  ]);
  assert.equal(root, '/home/me/my-operator');
  assert.deepEqual(options, {
    name: 'my-operator',
    domain: 'example.com',
    group: '',
    kind: 'Website',
    version: 'v1',
    namespaced: true,
    packageManager: 'npm',
  });
});

test('answerRequest skips questions that the request answers, and repeats a question after an invalid answer', async () => {
  const { root, options } = await answer({ folder: 'web', domain: 'kubewright.dev', clusterScoped: true }, [
    ["without '.kubewright.dev'", `sites${ENTER}`],
    ['Which kind', `site${ENTER}`],
    ["use 'Site'", `${'\u007f'.repeat(4)}Site${ENTER}`],
  ]);
  assert.equal(root, '/home/me/web');
  const { name, group, kind, namespaced } = options;
  assert.deepEqual({ name, group, kind, namespaced }, { name: 'web', group: 'sites', kind: 'Site', namespaced: false });
});

test('answerRequest throws CANCELLED when the user presses Ctrl-C', async () => {
  await assert.rejects(answer({}, [['What is the name of the project?', CTRL_C]]), { code: 'CANCELLED' });
});

test('answerRequest rejects invalid values of the request before the first question', async () => {
  await assert.rejects(answer({ kind: 'web site' }, []), /use 'WebSite'/);
});

test('answerRequest asks no question without a terminal, and uses the package manager that runs the program', async () => {
  const env = { npm_config_user_agent: 'pnpm/10.1.0 npm/? node/v20.19.0 linux x64' };
  const { root, options } = await answerRequest(
    { folder: 'teams/memcached-operator', multiGroup: true },
    { cwd: '/home/me', env, interactive: false, line: () => {} },
  );
  assert.equal(root, '/home/me/teams/memcached-operator');
  assert.equal(options.kind, 'Memcached');
  assert.equal(options.packageManager, 'pnpm');
  assert.equal(options.multiGroup, true);
});
