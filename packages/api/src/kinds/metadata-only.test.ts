import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../generated/core/v1.js';
import { isMetadataOnly, toMetadataOnly } from '../objects/metadata-only.js';
import { mutable } from '../objects/mutable.js';
import { kindOf } from './kind-of.js';
import { metadataOnly, wholeKindOf } from './metadata-only.js';
import { objectSchemaOf } from './schema-of.js';

test('a metadata-only kind has the names of its complete kind, has no schema and refers to its complete kind', () => {
  const bare = metadataOnly(Secret);
  assert.deepEqual({ ...kindOf(bare), metadataOnly: undefined }, { ...kindOf(Secret), metadataOnly: undefined });
  assert.equal(kindOf(bare).metadataOnly, true);
  assert.equal(objectSchemaOf(bare), undefined);
  assert.equal(wholeKindOf(bare), Secret);
  assert.equal(wholeKindOf(Secret), Secret);
});

test('a metadata-only object and its draft are recognized as metadata-only', () => {
  const whole = new Secret({ metadata: { name: 's', namespace: 'n' }, data: { password: 'eA==' } });
  const bare = toMetadataOnly(whole);
  assert.deepEqual(Object.keys(bare), ['apiVersion', 'kind', 'metadata']);
  assert.ok(isMetadataOnly(bare) && isMetadataOnly(mutable(bare)));
  assert.ok(!isMetadataOnly(whole) && !isMetadataOnly(mutable(whole)) && !isMetadataOnly({ ...bare }));
  assert.equal(JSON.stringify(bare), JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: whole.metadata }));
});
