import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asLabel, domainProblem, groupProblem, kindProblem, nameProblem, versionProblem } from './name-problems.js';

/** Invalid texts, each with a pattern that matches the error message. */
type Refusals = readonly (readonly [text: string, expected: RegExp])[];

function check(problem: (text: string) => string | undefined, fine: readonly string[], refused: Refusals): void {
  for (const text of fine) assert.equal(problem(text), undefined, text);
  for (const [text, expected] of refused) {
    const refusal = problem(text) ?? 'nothing';
    assert.match(refusal, expected, text);
    const [, better] = /use '([^']+)'/.exec(refusal) ?? [];
    if (better !== undefined) assert.equal(problem(better), undefined, `${refusal}, and that is refused as well`);
  }
}

describe('error messages about invalid names', () => {
  it('nameProblem suggests a valid project name', () => {
    check(
      nameProblem,
      ['a', 'my-operator', 'web2', 'a'.repeat(50)],
      [
        ['', /use a name such as 'my-operator'/],
        ['My Operator', /use 'my-operator'/],
        ['-x-', /use 'x'/],
        ['2web', /use 'web'/],
        ['my_operator', /use 'my-operator'/],
        ['my.operator', /use 'my-operator'/],
        ['größe', /use 'gr-e'/],
        ['a'.repeat(51), /at most 50 characters/],
        ['tsyringe', /use 'tsyringe-operator'/],
      ],
    );
  });

  it('domainProblem suggests a valid domain', () => {
    check(
      domainProblem,
      ['example.com', 'my-team.example.co.uk', '4u.example.com'],
      [
        ['', /'example.com'/],
        ['Example.com', /use 'example.com'/],
        ['https://example.com/x', /use 'example.com'/],
        ['my domain.com', /use 'my-domain.com'/],
        ['my domain', /use a name such as 'example.com'/],
        ['example', /use 'example.local'/],
        ['example..com', /separated by dots/],
        [`${'a'.repeat(64)}.com`, /lowercase words/],
        [`${'a.'.repeat(130)}com`, /lowercase words/],
        ['k8s.io', /reserved for Kubernetes/],
        ['apps.kubernetes.io', /reserved for Kubernetes/],
      ],
    );
  });

  it('groupProblem suggests a valid group', () => {
    check(
      (group) => groupProblem(group, 'example.com'),
      ['', 'web', 'web.team', 'a-b'],
      [
        ['Web', /use 'web'/],
        ['example.com', /leave the group empty/],
        ['web.example.com', /use 'web'/],
        ['web_team', /use 'web-team'/],
        ['a'.repeat(64), /at most 63 characters per word/],
        [`${'a.'.repeat(121)}a`, /longer than 253/],
      ],
    );
  });

  it('kindProblem suggests a valid kind', () => {
    check(
      kindProblem,
      ['Website', 'VirtualMachine', 'DNSZone', 'X509', 'Proxy', 'Class'],
      [
        ['', /'Website'/],
        ['website', /use 'Website'/],
        ['virtual-machine', /use 'VirtualMachine'/],
        ['virtual machine', /use 'VirtualMachine'/],
        ['Über', /use a name such as 'Website'|use 'Ber'/],
        ['9Lives', /use a name such as 'Website'/],
        ['Vm', /at least 3 characters/],
        ['A'.repeat(61), /at most 60/],
        ['WebsiteList', /list of kind 'Website'/],
        ['Controller', /use 'MyController'/],
        ['Promise', /use 'MyPromise'/],
      ],
    );
  });

  it('versionProblem suggests a valid version', () => {
    check(
      versionProblem,
      ['v1', 'v12', 'v1alpha1', 'v2beta3'],
      [
        ['1', /use 'v1'/],
        ['v0', /use 'v1'/],
        ['v1.2', /use 'v1'/],
        ['V1', /use 'v1'/],
        ['v1gamma1', /use 'v1'/],
        ['v1alpha', /use 'v1'/],
      ],
    );
  });
});

it('asLabel converts any text to a valid label or to an empty string', () => {
  assert.deepEqual(['My Operator', 'myOperator', '--9a__b--', '!!'].map(asLabel), [
    'my-operator',
    'my-operator',
    'a-b',
    '',
  ]);
});
