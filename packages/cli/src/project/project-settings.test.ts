import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { projectSettings } from './project-settings.js';

const read = (kubewright: unknown, name: unknown = 'foo-operator') =>
  projectSettings({ name, ...(kubewright !== undefined && { kubewright }) }, '/p/package.json');
const refuses = (kubewright: unknown, pattern: RegExp, name?: unknown): void =>
  assert.throws(() => read(kubewright, name), { code: 'INVALID_PROJECT', message: pattern });

describe('the settings of a project', () => {
  it('settings have defaults that are derived from the name of the package', () => {
    const settings = {
      name: 'foo-operator',
      image: 'foo-operator:latest',
      namespace: 'foo-operator-system',
      namespaced: false,
    };
    assert.deepEqual(read(undefined), settings);
    assert.deepEqual(read({}, '@acme/foo-operator'), settings);
  });
  it('settings in package.json take precedence over the defaults', () => {
    const settings = {
      name: 'bar',
      domain: 'example.com',
      image: 'registry.example.com:5000/bar@sha256:0123',
      namespace: '0-bar',
      namespaced: true,
    };
    assert.deepEqual(read(settings), settings);
    assert.equal(read({ name: 'bar' }).namespace, 'bar-system');
    assert.equal(read({ name: 'bar' }, 7).image, 'bar:latest');
  });
  it('an unknown setting is rejected with a similar name as the suggestion', () => {
    refuses(
      { nmaespace: 'x' },
      /^cannot read the project: \/p\/package\.json: .*no setting 'nmaespace'; did you mean 'namespace'\?$/,
    );
    refuses({ replicas: 3 }, /no setting 'replicas'; the settings are name, domain, image, namespace, namespaced$/);
  });
  it('an invalid value of a setting is rejected with a description of the valid values', () => {
    refuses('foo', /"kubewright" is not an object/);
    refuses({ namespaced: 'yes' }, /"kubewright\.namespaced" is "yes"; write true or false/);
    refuses({ namespace: 'Foo' }, /"kubewright\.namespace" is "Foo"; write the name of a namespace/);
    refuses({ domain: 'example..com' }, /"kubewright\.domain" is "example\.\.com"; write a domain/);
    refuses({ image: 'a b' }, /"kubewright\.image" is "a b"; write an image/);
    refuses({ name: `a${'b'.repeat(50)}` }, /at most 50 characters/);
    refuses(
      {},
      /cannot derive the name of the operator from the package name "Foo"; set "kubewright": \{ "name": … \}/,
      'Foo',
    );
    refuses({}, /from the package name null; set /, null);
  });
});
