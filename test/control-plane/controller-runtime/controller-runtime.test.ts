import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type UpstreamResult, UpstreamTests } from './upstream-tests.js';

const folder = process.env['KUBEWRIGHT_CONTROLLER_RUNTIME_TESTS'];
const skip =
  folder === undefined ? 'the tests of controller-runtime are not built; use npm run test:control-plane' : false;

/** The minimum number of specs of each package that must pass. A smaller number means that some specs did not run. */
const LEAST = {
  admission: 66,
  authentication: 21,
  conversion: 24,
  webhook: 8,
  integration: 2,
  builder: 72,
  envtest: 28,
} as const;

describe('the tests of controller-runtime about webhooks', { skip }, () => {
  for (const name of ['admission', 'authentication', 'conversion'] as const) {
    test(`the tests of the package ${name} pass`, async () => {
      await using tests = await UpstreamTests.of(join(folder ?? '', `${name}.test`));
      assertPassed(name, await tests.run());
    });
  }

  for (const name of ['builder', 'envtest'] as const) {
    test(`the tests of the package ${name} pass against the embedded API server`, async () => {
      await using tests = await UpstreamTests.of(join(folder ?? '', `${name}.test`));
      const result = await tests.run();
      assertPassed(name, result);
      assert.ok(result.servers > 0);
    });
  }

  test('the tests of the package webhook pass against the embedded API server, which calls the webhooks of the tests', async () => {
    await using tests = await UpstreamTests.of(join(folder ?? '', 'webhook.test'));
    const result = await tests.runSeparately();
    assertPassed('webhook', result);
    assert.equal(result.passed.filter((spec) => spec.includes('reject create request')).length, 3);
    assert.ok(result.servers >= result.passed.length, `${result.servers} servers`);
  });

  test('the tests of the package integration pass, with a manager that has a conversion webhook, a cache and controllers', async () => {
    await using tests = await UpstreamTests.of(join(folder ?? '', 'integration.test'));
    const result = await tests.runSeparately();
    assertPassed('integration', result);
    assert.equal(result.passed.filter((spec) => /controller warmup (not )?enabled/.test(spec)).length, 2);
    assert.ok(result.servers >= 2, `${result.servers} servers`);
  });
});

function assertPassed(name: keyof typeof LEAST, { passed, failed, output }: UpstreamResult): void {
  assert.deepEqual(failed, [], output);
  assert.ok(passed.length >= LEAST[name], `${passed.length} specs of ${name} passed`);
}
