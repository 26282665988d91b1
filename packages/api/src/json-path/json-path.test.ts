import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KubewrightError } from '../errors/kubewright-error.js';
import { compileJsonPath } from './find.js';

const object = {
  metadata: { name: 'web', labels: { 'app.kubernetes.io/name': 'shop' } },
  spec: { replicas: 3, zero: 0, list: [10, 20, 30, 40] },
  status: {
    conditions: [
      { type: 'Ready', status: 'True', since: 5 },
      { type: 'Stalled', status: 'False', since: 9, note: 'a]b' },
    ],
  },
};

const found: readonly (readonly [string, readonly unknown[]])[] = [
  ['.metadata.name', ['web']],
  ['{.metadata.name}', ['web']],
  ['$.metadata.name', ['web']],
  ['metadata.name', ['web']],
  ['.spec.zero', [0]],
  ['.spec.missing', []],
  ['.spec.missing.deeper', []],
  ['.spec.toString', []],
  [".metadata.labels['app.kubernetes.io/name']", ['shop']],
  ['.metadata.labels.app\\.kubernetes\\.io/name', ['shop']],
  ['.status.conditions[?(@.type=="Ready")].status', ['True']],
  ["{.status.conditions[?(@.type == 'Ready')].status}", ['True']],
  ['.status.conditions[?(@.type!="Ready")].type', ['Stalled']],
  ['.status.conditions[?(@.since>5)].type', ['Stalled']],
  ['.status.conditions[?(@.since>=5)].type', ['Ready', 'Stalled']],
  ['.status.conditions[?(@.note)].type', ['Stalled']],
  ['.status.conditions[?(@.note=="a]b")].type', ['Stalled']],
  ['.status.conditions[*].type', ['Ready', 'Stalled']],
  ['.status.conditions[0].type', ['Ready']],
  ['.status.conditions[-1].type', ['Stalled']],
  ['.status.conditions[7].type', []],
  ['.spec.list[1:3]', [20, 30]],
  ['.spec.list[:-1]', [10, 20, 30]],
  ['.spec.list[0:4:2]', [10, 30]],
  ['.spec.list[0,3]', [10, 40]],
  ["['metadata','spec']['name','replicas']", ['web', 3]],
  ['..type', ['Ready', 'Stalled']],
  ['.spec.*', [3, 0, [10, 20, 30, 40]]],
  ['.', [object]],
];

for (const [path, expected] of found) {
  test(`${path} finds ${JSON.stringify(expected).slice(0, 60)}`, () => {
    assert.deepEqual(compileJsonPath(path)(object), expected);
  });
}

for (const path of ['.a[', '.a[?(@.b=="c]', '.a[b]', '.a[0:2:0]', '.a[?(@.b==)]', '.a[0]b', '..']) {
  test(`${path} is refused`, () => {
    assert.throws(
      () => compileJsonPath(path),
      (error) => error instanceof KubewrightError && error.code === 'INVALID_JSON_PATH',
    );
  });
}
