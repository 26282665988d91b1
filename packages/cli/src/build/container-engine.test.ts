import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { imageCalls, type ContainerEngine, type ImageBuild } from './container-engine.js';

const image = 'example.com/foo:v1';
const calls = (engine: ContainerEngine, build: Omit<ImageBuild, 'image'>): readonly string[] =>
  imageCalls(engine, { image, ...build }).map(({ args }) => args.join(' '));
const actions = (engine: ContainerEngine, build: Omit<ImageBuild, 'image'>): readonly string[] =>
  imageCalls(engine, { image, ...build }).map(({ action }) => action);

describe('imageCalls', () => {
  it('imageCalls returns one build command for a single platform, and a push command only if push is true', () => {
    for (const engine of ['docker', 'podman', 'nerdctl', 'buildah'] as const) {
      assert.deepEqual(calls(engine, { push: false }), [`build -t ${image} .`]);
      assert.deepEqual(calls(engine, { push: true, platform: 'linux/arm64' }), [
        `build --platform linux/arm64 -t ${image} .`,
        `push ${engine === 'nerdctl' ? '--platform linux/arm64 ' : ''}${image}`,
      ]);
    }
  });
  it('imageCalls returns, for each engine, the commands that build and push an image for several platforms', () => {
    const platform = 'linux/amd64,linux/arm64';
    const many = (engine: ContainerEngine, push = true): readonly string[] => calls(engine, { push, platform });
    assert.deepEqual(many('docker'), [`buildx build --platform ${platform} -t ${image} --push .`]);
    assert.deepEqual(many('docker', false), [`buildx build --platform ${platform} -t ${image} .`]);
    for (const engine of ['podman', 'buildah'] as const) {
      assert.deepEqual(many(engine), [
        `build --platform ${platform} --manifest ${image} .`,
        `manifest push --all ${image} docker://${image}`,
      ]);
      assert.deepEqual(many(engine, false), [`build --platform ${platform} --manifest ${image} .`]);
    }
    assert.deepEqual(many('nerdctl'), [
      `build --platform ${platform} -t ${image} .`,
      `push --platform ${platform} ${image}`,
    ]);
  });
  it('imageCalls returns the action of each call, and one combined action for docker and several platforms', () => {
    const platform = 'linux/amd64,linux/arm64';
    for (const engine of ['docker', 'podman', 'nerdctl', 'buildah'] as const) {
      assert.deepEqual(actions(engine, { push: false }), ['build']);
      assert.deepEqual(actions(engine, { push: true }), ['build', 'push']);
      assert.deepEqual(actions(engine, { push: false, platform }), ['build']);
      const expected = engine === 'docker' ? ['build-and-push'] : ['build', 'push'];
      assert.deepEqual(actions(engine, { push: true, platform }), expected);
    }
  });
});
