import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pluralOf } from './plural.js';

/** The results of kubebuilder's inflection, grouped by the rule that applies. */
const words: Readonly<Record<string, readonly string[]>> = {
  'a regular word': [
    'pod pods',
    'cronjob cronjobs',
    'quota quotas',
    'testquota testquotas',
    'schema schemas',
    'cache caches',
  ],
  'a word that ends in -y': [
    'policy policies',
    'proxy proxies',
    'gateway gateways',
    'key keys',
    'deploy deploys',
    'buy buys',
    'soliloquy soliloquies',
  ],
  'a word that ends in -s': [
    'class classes',
    'ingress ingresses',
    'bus buses',
    'status statuses',
    'redis redis',
    'kubernetes kubernetes',
    'alias aliases',
  ],
  'a word that ends in -is': ['analysis analyses', 'basis bases', 'synopsis synopses', 'axis axes', 'crisis crises'],
  'a word that ends in -x, -z, -ch or -sh': [
    'box boxes',
    'mutex mutexes',
    'quiz quizzes',
    'quartz quartzes',
    'buzz buzzes',
    'switch switches',
    'mesh meshes',
  ],
  'a word that ends in -f or -fe': [
    'leaf leaves',
    'shelf shelves',
    'knife knives',
    'proof proofs',
    'tariff tariffs',
    'thief thieves',
  ],
  'a word that ends in -o': [
    'foo foos',
    'portfolio portfolios',
    'photo photos',
    'silo silos',
    'piano pianos',
    'hero heroes',
    'repo repoes',
    'potato potatoes',
  ],
  'a word that ends in -um': [
    'stratum strata',
    'medium media',
    'consortium consortia',
    'spectrum spectra',
    'forum forums',
    'stadium stadiums',
    'checksum checksums',
  ],
  'a word that ends in -ix or -ex': [
    'matrix matrices',
    'index indices',
    'searchindex searchindices',
    'vertex vertices',
    'suffix suffixes',
    'complex complexes',
  ],
  'an irregular word': [
    'person people',
    'child children',
    'foreman foremen',
    'mouse mice',
    'focus foci',
    'criterion criteria',
    'bureau bureaus',
  ],
  'a word that is already a plural': [
    'policies policies',
    'metrics metrics',
    'people people',
    'metadata metadata',
    'news news',
    'sheep sheep',
  ],
};

describe('pluralOf', () => {
  for (const [what, pairs] of Object.entries(words)) {
    it(`returns the plural of ${what}`, () => {
      assert.deepEqual(
        pairs.map((pair) => `${pair.split(' ')[0]} ${pluralOf(pair.split(' ')[0] ?? '')}`),
        pairs,
      );
    });
  }
});
