import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { FakeClock, TestEnvironment } from '@kubewright/testing';
import { selectedServer } from '../server/selected-server.js';
import { SharedEnvironment } from '../server/shared-environment.js';
import { ContractApi } from './contract-api.js';
import { readAnswers, type Recorded, writeAnswers } from './answers.js';

/** The requirements of an area of the contract for a server. */
export interface ContractOptions {
  /** Whether the cases need running Pods and rollouts of Deployments. An existing server may always run workloads. @default false */
  readonly workloads?: boolean;
  /** Whether the server calls webhooks in the process of the cases. An existing server cannot reach them. @default false */
  readonly webhooks?: boolean;
  /**
   * Whether the time of the embedded server advances only in `ContractApi.pass`, for cases that wait for a period of a controller. These
   * cases run one after the other. @default false
   */
  readonly passesTime?: boolean;
  /** Whether the cases run one after the other on every server, because they change objects of the whole cluster. @default false */
  readonly oneByOne?: boolean;
}

/** One case: requests whose responses must equal the responses of a real API server. */
export type ContractCase = (api: ContractApi) => Promise<void>;

/**
 * Runs cases against the chosen server and compares every response with the recorded response of a real API server. With
 * KUBEWRIGHT_RECORD=1, the responses are recorded instead, which requires a real server. The areas of a process share one control plane. An
 * area fails if it leaves objects outside of the namespaces of its cases.
 */
export function contract(area: string, options: ContractOptions, cases: Readonly<Record<string, ContractCase>>): void {
  const server = selectedServer();
  const recording = process.env['KUBEWRIGHT_RECORD'] === '1';
  const answers = recording ? {} : readAnswers(area);
  const recorded: Record<string, Recorded> = {};
  let environment: TestEnvironment;
  let shared: SharedEnvironment | undefined;

  const clock = server === 'embedded' && options.passesTime === true ? new FakeClock() : undefined;
  const concurrency = clock === undefined && options.oneByOne !== true ? 4 : 1;
  const skip = options.webhooks === true && server === 'existing' && 'an existing server cannot reach the webhooks';
  void describe(`contract: ${area}`, { concurrency, skip }, () => {
    before(async () => {
      assert.ok(!recording || server !== 'embedded', 'responses can be recorded only from a real server');
      const { workloads = false } = options;
      if (server === 'control-plane') shared = await SharedEnvironment.get({ server, workloads });
      environment =
        shared?.environment ??
        (await TestEnvironment.start({ server, ...(clock && { clock }), ...(server !== 'existing' && { workloads }) }));
    });
    after(async () => {
      if (shared === undefined) await environment[Symbol.asyncDispose]();
      else await shared.checkLeft(isOfCase);
      if (recording) writeAnswers(area, inOrder(recorded, Object.keys(cases)));
    });
    for (const [title, run] of Object.entries(cases)) {
      void test(title, async () => {
        const api = await ContractApi.open(environment.connection, clock && ((ms) => clock.advance(`${ms}ms`)));
        try {
          await run(api);
        } finally {
          await api.close({ keepNamespace: server !== 'existing' });
        }
        if (recording) recorded[title] = api.transcript;
        else compare(api.transcript, answers[title]);
      });
    }
  });
}

/**
 * Whether an object may remain until the server stops: the namespace of a case and its objects, and definitions in the group of a case. A
 * real server does not always finish deleting these.
 */
function isOfCase(path: string): boolean {
  return /\/namespaces\/case-|\/customresourcedefinitions\/.*\.g[0-9a-f]{10}\.example\.com$/.test(path);
}

/** Compares the responses in order. The first difference is the relevant one; later differences may follow from it. */
function compare(actual: Recorded, expected: Recorded | undefined): void {
  assert.ok(expected !== undefined, 'no response of a real server is recorded for this case');
  for (const [at, exchange] of expected.entries()) {
    assert.deepEqual(actual[at], exchange, `response ${at + 1} differs: ${exchange.request}`);
  }
  assert.equal(actual.length, expected.length, 'the number of responses differs from the recording');
}

function inOrder(recorded: Readonly<Record<string, Recorded>>, titles: readonly string[]): Record<string, Recorded> {
  return Object.fromEntries(titles.flatMap((title) => (recorded[title] ? [[title, recorded[title]]] : [])));
}
