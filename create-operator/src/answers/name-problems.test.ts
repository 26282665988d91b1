import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asLabel, domainProblem, groupProblem, kindProblem, nameProblem, versionProblem } from './name-problems.js';

/** Invalid texts, each with a pattern that matches the error message. */
type Refusals = readonly (readonly [text: string, said: RegExp])[];

function check(problem: (text: string) => string | undefined, fine: readonly string[], refused: Refusals): void {
  for (const text of fine) assert.equal(problem(text), undefined, text);
  for (const [text, said] of refused) {
    const refusal = problem(text) ?? 'nothing';
    assert.match(refusal, said, text);
    const [, better] = /type '([^']+)'/.exec(refusal) ?? [];
    if (better !== undefined) assert.equal(problem(better), undefined, `${refusal}, and that is refused as well`);
  }
}

describe('error messages suggest a valid value', () => {
  it('for the name of a project', () => {
    check(
      nameProblem,
      ['a', 'my-operator', 'web2', 'a'.repeat(50)],
      [
        ['', /type one such as 'my-operator'/],
        ['My Operator', /type 'my-operator'/],
        ['-x-', /type 'x'/],
        ['2web', /type 'web'/],
        ['my_operator', /type 'my-operator'/],
        ['my.operator', /type 'my-operator'/],
        ['größe', /type 'gr-e'/],
        ['a'.repeat(51), /at most 50 characters/],
        ['tsyringe', /type 'tsyringe-operator'/],
      ],
    );
  });

  it('for a domain', () => {
    check(
      domainProblem,
      ['example.com', 'my-team.example.co.uk', '4u.example.com'],
      [
        ['', /'example.com'/],
        ['Example.com', /type 'example.com'/],
        ['https://example.com/x', /type 'example.com'/],
        ['my domain.com', /type 'my-domain.com'/],
        ['my domain', /type one such as 'example.com'/],
        ['example', /type 'example.local'/],
        ['example..com', /dots between them/],
        [`${'a'.repeat(64)}.com`, /lower-case words/],
        [`${'a.'.repeat(130)}com`, /lower-case words/],
        ['k8s.io', /belongs to Kubernetes/],
        ['apps.kubernetes.io', /belongs to Kubernetes/],
      ],
    );
  });

  it('for a group', () => {
    check(
      (group) => groupProblem(group, 'example.com'),
      ['', 'web', 'web.team', 'a-b'],
      [
        ['Web', /type 'web'/],
        ['example.com', /leave it empty/],
        ['web.example.com', /type 'web'/],
        ['web_team', /type 'web-team'/],
        ['a'.repeat(64), /lower case/],
        [`${'a.'.repeat(121)}a`, /longer than 253/],
      ],
    );
  });

  it('for a kind', () => {
    check(
      kindProblem,
      ['Website', 'VirtualMachine', 'DNSZone', 'X509', 'Proxy', 'Class'],
      [
        ['', /'Website'/],
        ['website', /type 'Website'/],
        ['virtual-machine', /type 'VirtualMachine'/],
        ['virtual machine', /type 'VirtualMachine'/],
        ['Über', /type one such as 'Website'|type 'Ber'/],
        ['9Lives', /type one such as 'Website'/],
        ['Vm', /at least 3 letters/],
        ['A'.repeat(61), /at most 60/],
        ['WebsiteList', /list of a kind 'Website'/],
        ['Controller', /type 'MyController'/],
        ['Promise', /type 'MyPromise'/],
      ],
    );
  });

  it('for a version', () => {
    check(
      versionProblem,
      ['v1', 'v12', 'v1alpha1', 'v2beta3'],
      [
        ['1', /type 'v1'/],
        ['v0', /type 'v1'/],
        ['v1.2', /type 'v1'/],
        ['V1', /type 'v1'/],
        ['v1gamma1', /type 'v1'/],
        ['v1alpha', /type 'v1'/],
      ],
    );
  });
});

it('converts any text to a label', () => {
  assert.deepEqual(['My Operator', 'myOperator', '--9a__b--', '!!'].map(asLabel), [
    'my-operator',
    'my-operator',
    'a-b',
    '',
  ]);
});
