import assert from 'node:assert/strict';
import { request } from 'node:https';
import { describe, test } from 'node:test';
import { CELLS, selectRows } from './cells.js';
import { keyOf } from './load/objects.js';
import { LoadServerProcess } from './run/load-server-process.js';
import { measureRows } from './run/bench-run.js';
import { measuredValues } from './report/report.js';

describe('npm run bench', () => {
  test('measures rows with few objects, and reports that Go is missing', async () => {
    const rows = selectRows(['get-16']);
    const report = await measureRows({
      cells: CELLS,
      rows,
      runs: 1,
      peers: true,
      seconds: 1,
      scale: 0.01,
      env: { PATH: '' },
    });
    assert.deepEqual(report.missing, ['Go is not measured, because go is not on PATH']);
    assert.deepEqual(report.failures, []);
    assert.deepEqual(
      report.rows.map(({ name }) => name),
      rows.map(({ name }) => name),
    );
    for (const row of report.rows) {
      const [value, ...others] = measuredValues(row, 'kubewright');
      assert.ok(value !== undefined && Number.isFinite(value) && value >= 0, row.name);
      assert.deepEqual(others, []);
      assert.equal(row.values.go, undefined);
    }
  });

  test('rejects a checkout that is not built', async () => {
    const options = { cells: CELLS, rows: selectRows(['queue']), runs: 1, peers: false, seconds: 1 };
    await assert.rejects(
      measureRows({ ...options, against: '/nowhere' }),
      /is not a built checkout; run npm run build/,
    );
  });
});

describe('the load server', () => {
  const send = async (
    { server, ca }: { readonly server: string; readonly ca: string },
    { path, patch }: { readonly path: string; readonly patch?: object },
  ): Promise<{ readonly metadata: { readonly resourceVersion: string }; readonly status?: object }> => {
    const { promise, settle } = pending<string>();
    const headers = { 'content-type': 'application/merge-patch+json' };
    const sent = request(
      `${server}${path}`,
      { method: patch === undefined ? 'GET' : 'PATCH', ca, headers, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => settle(text));
      },
    );
    sent.end(patch === undefined ? undefined : JSON.stringify(patch));
    return JSON.parse(await promise) as { readonly metadata: { readonly resourceVersion: string } };
  };

  test('stores a merge patch of the status, and a second identical patch changes nothing', async () => {
    await using server = await LoadServerProcess.start();
    const assigned = await server.assign({ mode: 'requests', kind: 'webservices', objects: 10 });
    const { namespace, name } = keyOf('webservices', 3);
    const path = `/apis/apps.example.com/v1alpha1/namespaces/${namespace}/webservices/${name}`;
    const before = await send(assigned, { path });
    const patch = { status: { readyReplicas: 99 } };
    const patched = await send(assigned, { path: `${path}/status`, patch });
    assert.notEqual(patched.metadata.resourceVersion, before.metadata.resourceVersion);
    assert.deepEqual(patched.status, { ...before.status, readyReplicas: 99 });
    assert.deepEqual(await send(assigned, { path: `${path}/status`, patch }), patched);
    assert.deepEqual(await send(assigned, { path }), patched);
  });
});

function pending<T>(): { readonly promise: Promise<T>; readonly settle: (value: T) => void } {
  let settle: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}
