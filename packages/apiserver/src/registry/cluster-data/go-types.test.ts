import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultData } from './cluster-data.js';
import { GoTypes } from './go-types.js';

describe('the declared types', () => {
  const types = new GoTypes();

  test('the declared types list fields in declaration order, and the fields of an embedded struct at its position', () => {
    const probe = [...types.fields('core/v1.Probe')];
    const within = (struct: string): string[] =>
      probe.filter(([, field]) => field.within[0] === struct).map(([name]) => name);
    assert.deepEqual(within('ProbeHandler'), ['exec', 'httpGet', 'tcpSocket', 'grpc']);
    assert.deepEqual(probe.map(([name]) => name).slice(3, 6), ['grpc', 'initialDelaySeconds', 'timeoutSeconds']);
  });

  test('the declared types define which empty fields are omitted and which empty fields are written', () => {
    const container = types.fields('core/v1.Container');
    assert.deepEqual([container.get('image')?.omitsEmpty, container.get('image')?.zero], [true, undefined]);
    assert.deepEqual([container.get('name')?.omitsEmpty, container.get('name')?.zero], [false, '']);
    assert.deepEqual(types.fields('apps/v1.DeploymentSpec').get('selector')?.zero, null);
    assert.deepEqual(types.fields('apps/v1.Deployment').get('spec')?.zero, {});
  });

  test('the declared types contain the protobuf field numbers', () => {
    assert.deepEqual(types.members('core/v1.Probe').get(1), { embeds: 'core/v1.ProbeHandler' });
    assert.equal(types.members('core/v1.Probe').get(4)?.name, 'periodSeconds');
  });

  test('every declared field has a name and a type, and every referenced struct exists', () => {
    const { structs } = defaultData.goTypes;
    for (const key of Object.keys(structs)) {
      for (const [name, { type }] of types.fields(key)) {
        assert.notEqual(name, '', key);
        let inner = type;
        while (inner.kind === 'list' || inner.kind === 'map') inner = inner.of;
        if (inner.kind === 'struct') assert.ok(structs[inner.key], `${key} ${name}: ${inner.key}`);
      }
    }
  });
});
