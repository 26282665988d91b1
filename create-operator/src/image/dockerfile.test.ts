import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packageManagers } from '../scaffold/package-managers.js';
import { dockerfile } from './dockerfile.js';
import { dockerignore } from './dockerignore.js';
import { BUNDLE, imageCommand, imageOf } from './image-of.js';

const npm = dockerfile({ files: ['package-lock.json'], install: 'npm ci', exec: 'npx' });
const lastStage = (text: string): string => text.slice(text.lastIndexOf('\nFROM '));

test('the last stage of the Dockerfile has no RUN instruction and copies only the bundle', () => {
  assert.doesNotMatch(lastStage(npm), /^RUN /m);
  assert.deepEqual(lastStage(npm).match(/^COPY .*$/gm), [
    'COPY --from=build /app/dist/operator.mjs ./operator.mjs',
    'COPY --from=build /app/dist/operator-chunks ./operator-chunks',
  ]);
});

test('the image runs as a numeric non-root user and starts the program without a shell', () => {
  assert.match(lastStage(npm), /^USER 65532:65532$/m);
  const entrypoint = /^ENTRYPOINT (.*)$/m.exec(npm)?.[1] ?? '';
  assert.deepEqual(JSON.parse(entrypoint), imageOf().entrypoint);
  assert.doesNotMatch(npm, /^CMD/m);
});

test('both stages of the Dockerfile use the major version of Node.js in the build argument NODE', () => {
  assert.match(npm, /^ARG NODE=24\n/);
  assert.equal(npm.match(/^FROM .*\$\{NODE\}/gm)?.length, 2);
});

test('the Dockerfile installs the dependencies before it copies the sources, so that the layer of the dependencies is cached', () => {
  const at = (text: string): number => npm.indexOf(text);
  assert.ok(at('COPY package.json package-lock.json .npmrc* ./') < at('RUN npm ci'));
  assert.ok(at('RUN npm ci') < at('COPY . .'));
  assert.ok(at('COPY . .') < at('RUN npx kubewright build'));
});

test('the Dockerfile installs every package manager except npm before it installs the dependencies', () => {
  for (const [name, { lockFile, ci, exec, setUp }] of Object.entries(packageManagers)) {
    const text = dockerfile({ files: [lockFile], install: ci, exec, ...(setUp !== undefined && { setUp }) });
    assert.match(text, new RegExp(`COPY package.json ${lockFile} `), name);
    assert.equal(setUp !== undefined && text.indexOf(setUp) < text.indexOf(ci), name !== 'npm', name);
  }
});

test('.dockerignore contains only plain names and excludes no file that the image build needs', () => {
  const lines = dockerignore().trimEnd().split('\n');
  for (const line of lines) assert.match(line, /^[\w.*-]+$/);
  for (const needed of ['src', 'package.json', 'tsconfig.json', 'package-lock.json'])
    assert.ok(!lines.includes(needed));
});

test('imageCommand sets the same heap size as the image', () => {
  const { command, env } = imageCommand();
  assert.deepEqual(command, ['node', '--max-old-space-size=153', BUNDLE]);
  assert.deepEqual(env, imageOf().env);
});
