import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../../registry/objects/api-object.js';
import type { PodBehaviour, PodSelector } from './pod-behaviour.js';
import { SimulatedPods } from './simulated-pods.js';

const pod = (name: string, labels: Readonly<Record<string, string>> = {}): ApiObject =>
  ({ metadata: { name, namespace: 'default', labels }, spec: { containers: [{ name: 'c' }] } }) as unknown as ApiObject;
const container = { name: 'c', isInit: false };

test('a selector selects Pods by labels, name and namespace', () => {
  const selectors: readonly (readonly [PodSelector, readonly string[]])[] = [
    ['app=web', ['a']],
    ['app in (web, db)', ['a', 'b']],
    [{ labels: { app: 'db' } }, ['b']],
    [{ name: 'b' }, ['b']],
    [{ namespace: 'other' }, []],
    [{}, ['a', 'b']],
  ];
  const pods = [pod('a', { app: 'web' }), pod('b', { app: 'db' })];
  for (const [selector, selected] of selectors) {
    const simulated = new SimulatedPods();
    simulated.behave(selector, { exitCode: 1 });
    const names = pods.filter((each) => simulated.isStated(each)).map(({ metadata }) => metadata.name);
    assert.deepEqual(names, selected, JSON.stringify(selector));
  }
});

test('a behavior has precedence over earlier behaviors, and a field for one container over the field for all containers', () => {
  const simulated = new SimulatedPods();
  simulated.behave({}, { exitCode: 1, containers: { c: { runFor: '1s' } } });
  const remove = simulated.behave('app=web', { exitCode: 2, containers: { c: { exitCode: 3 } } });
  const exitCode = (name: string, isInit = false): unknown =>
    Object.assign({}, ...simulated.behaviours(pod('a', { app: 'web' }), { name, isInit })).exitCode;
  assert.deepEqual([exitCode('c'), exitCode('other'), exitCode('init', true)], [3, 2, undefined]);
  remove();
  assert.deepEqual(simulated.behaviours(pod('a', { app: 'web' }), container).at(-1), { runFor: '1s' });
  assert.equal(exitCode('other'), 1);
});

test('an annotation states the behavior of a container with the name of an inherited property', () => {
  const simulated = new SimulatedPods();
  const name = 'constructor';
  const annotated = {
    metadata: { name: 'a', annotations: { 'pod.kubewright.dev/exit-code.constructor': '3' } },
    spec: { containers: [{ name }] },
  } as unknown as ApiObject;
  assert.deepEqual(simulated.behaviours(annotated, { name, isInit: false }), [{}, { exitCode: 3 }]);
  assert.ok(!('exitCode' in Object));
});

test('`behave` rejects a behavior that is not valid, and names the valid choices', () => {
  const simulated = new SimulatedPods();
  for (const [behaviour, message] of [
    [{ exitCodes: 1 }, /unknown field behaviour\.exitCodes; use exitCode, runFor, .*containers$/],
    [{ exitCode: 256 }, /behaviour\.exitCode is 256; use an exit code from 0 to 255, a list of exit codes, or 'none'$/],
    [{ readyAfter: 5 }, /behaviour\.readyAfter is 5; use a duration such as '500ms', '30s' or '5m', or 'never'$/],
    [{ waiting: 'Tea' }, /behaviour\.waiting is 'Tea'; use 'ContainerCreating', .*'none'$/],
    [{ containers: { c: { runFor: 'x' } } }, /behaviour\.containers\.c\.runFor is 'x'; use a duration/],
    ['crash', /behaviour is 'crash'; use an object with exitCode/],
  ] as const) {
    assert.throws(() => simulated.behave({}, behaviour as unknown as PodBehaviour), {
      code: 'INVALID_OPTION',
      message,
    });
  }
  for (const [selector, message] of [
    [{ label: 'x' }, /unknown field selector\.label; use labels, name, namespace$/],
    [{ name: 1 }, /selector\.name is 1; use a text$/],
    ['a b', /use a label selector such as 'app=web'$/],
  ] as const) {
    assert.throws(() => simulated.behave(selector as unknown as PodSelector, {}), { code: 'INVALID_OPTION', message });
  }
});
