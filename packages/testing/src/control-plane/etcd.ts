import { KubewrightError } from '@kubewright/api/errors';

/** Compacts all revisions before the current revision. The API server detects the compaction at its next read. */
export async function compactEtcd(url: string): Promise<void> {
  const range = (await post(`${url}/v3/kv/range`, { key: Buffer.from('/').toString('base64') })) as {
    readonly header: { readonly revision: string };
  };
  await post(`${url}/v3/kv/compaction`, { revision: range.header.revision, physical: true });
}

async function post(url: string, body: object): Promise<unknown> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok)
    throw new KubewrightError(
      'ETCD_FAILED',
      `cannot compact etcd: POST ${url}: ${answer.status} ${await answer.text()}`,
    );
  return answer.json();
}
