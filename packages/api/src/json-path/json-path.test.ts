import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileJsonPath } from './json-path.js';

const object = {
  metadata: { name: 'web', labels: { 'app.kubernetes.io/name': 'nginx' } },
  spec: {
    replicas: 2,
    ports: [
      { name: 'http', port: 80 },
      { name: 'tls', port: 443 },
      { name: 'admin', port: 9000 },
    ],
  },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Idle', status: 'False', weight: 3 },
    ],
  },
};

const selections: readonly (readonly [path: string, selected: readonly unknown[]])[] = [
  ['.spec.replicas', [2]],
  ['{.spec.replicas}', [2]],
  ['$.spec.replicas', [2]],
  ['.spec.missing.deeper', []],
  ['.metadata.labels.app\\.kubernetes\\.io/name', ['nginx']],
  [".metadata.labels['app.kubernetes.io/name']", ['nginx']],
  ['.status.conditions[?(@.type=="Ready")].status', ['True']],
  [".status.conditions[?(@.type == 'Gone')].status", []],
  ['.status.conditions[?(@.weight)].type', ['Idle']],
  ['.spec.ports[?(@.port>80 && @.port<9000)].name', ['tls']],
  ['.spec.ports[?(@.name=="http" || @.port>=9000)].port', [80, 9000]],
  ['.spec.ports[?(@.port!=443)].name', ['http', 'admin']],
  ['.spec.ports[0].name', ['http']],
  ['.spec.ports[-1].name', ['admin']],
  ['.spec.ports[7].name', []],
  ['.spec.ports[0:2].port', [80, 443]],
  ['.spec.ports[::2].port', [80, 9000]],
  ['.spec.ports[0,2].port', [80, 9000]],
  ['.spec.ports[*].port', [80, 443, 9000]],
  ['.spec.ports.*.port', [80, 443, 9000]],
  ['..port', [80, 443, 9000]],
  ['.', [object]],
];
for (const [path, selected] of selections) {
  test(`the path ${path} selects ${selected.length} ${selected.length === 1 ? 'value' : 'values'}`, () =>
    assert.deepEqual(compileJsonPath(path)(object), selected));
}

for (const path of [
  '',
  '.spec.ports[',
  '.spec.ports[a]',
  '.spec..',
  '.a[?(@.b==)]',
  '.a[?(@.b=="c"]',
  ".a['b",
  'spec',
  '.a]',
]) {
  test(`the path '${path}' is rejected, and the error contains the path`, () => {
    assert.throws(() => compileJsonPath(path), { code: 'INVALID_JSON_PATH', message: /^the path '/ });
  });
}
