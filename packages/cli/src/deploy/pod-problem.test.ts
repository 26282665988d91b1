import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ContainerState, type ContainerStatus, Pod, type PodStatus } from '@kubewright/api/core/v1';
import { podProblem } from './pod-problem.js';

const container = (name: string, init: Partial<ContainerStatus>): ContainerStatus => ({
  name,
  image: `${name}:v1`,
  imageID: '',
  ready: false,
  restartCount: 0,
  ...init,
});
const failed: ContainerState = { terminated: { exitCode: 7, reason: 'Error' } };
const succeeded: ContainerState = { terminated: { exitCode: 0, reason: 'Completed' } };
const backOff: ContainerState = { waiting: { reason: 'CrashLoopBackOff' } };
const initializing = container('manager', { state: { waiting: { reason: 'PodInitializing' } } });
const problemOf = (status: PodStatus): ReturnType<typeof podProblem> =>
  podProblem(new Pod({ metadata: { name: 'foo', namespace: 'default' }, spec: { containers: [] }, status }));

describe('podProblem', () => {
  it('podProblem reports the exit code, the restarts and the log of a failing container', () => {
    const manager = container('manager', { state: backOff, lastState: failed, restartCount: 2 });
    assert.deepEqual(problemOf({ containerStatuses: [manager] }), {
      text: 'the operator in Pod foo exited with exit code 7 (restarts: 2); see its log: kubectl logs foo --previous',
      isFinal: true,
    });
  });

  it('podProblem reports a failing init container with its name', () => {
    const migrate = container('migrate', { state: backOff, lastState: failed, restartCount: 2 });
    assert.deepEqual(problemOf({ initContainerStatuses: [migrate], containerStatuses: [initializing] }), {
      text: 'the init container migrate in Pod foo exited with exit code 7 (restarts: 2); see its log: kubectl logs foo --container migrate --previous',
      isFinal: true,
    });
  });

  it('podProblem reports an init container whose image cannot be pulled, or that cannot start', () => {
    const pulling = container('migrate', { state: { waiting: { reason: 'ImagePullBackOff' } } });
    const pullProblem = problemOf({ initContainerStatuses: [pulling], containerStatuses: [initializing] });
    assert.equal(pullProblem?.isFinal, true);
    assert.match(
      pullProblem.text,
      /^cannot pull the image migrate:v1 \(ImagePullBackOff\); .*, or correct the image of the init container migrate$/,
    );
    const starting = container('migrate', { state: { waiting: { reason: 'CreateContainerConfigError' } } });
    assert.match(
      problemOf({ initContainerStatuses: [starting] })?.text ?? '',
      /^cannot start the init container migrate of Pod foo \(CreateContainerConfigError\); /,
    );
  });

  it('podProblem reports no problem of an init container that succeeded after a failure', () => {
    const migrate = container('migrate', { state: succeeded, lastState: failed, restartCount: 3 });
    const running = container('manager', { state: { running: {} }, ready: true });
    assert.equal(problemOf({ initContainerStatuses: [migrate], containerStatuses: [running] }), undefined);
    const manager = container('manager', { state: { waiting: { reason: 'ErrImagePull' } } });
    assert.match(
      problemOf({ initContainerStatuses: [migrate], containerStatuses: [manager] })?.text ?? '',
      /^cannot pull the image manager:v1 /,
    );
  });
});
