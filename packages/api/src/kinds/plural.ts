/** Irregular plurals. Also matches a longer word that ends in one of these words. */
const irregular: Readonly<Record<string, string>> = {
  aircraft: 'aircraft',
  appendix: 'appendices',
  apex: 'apices',
  bureau: 'bureaus',
  cactus: 'cacti',
  child: 'children',
  codex: 'codices',
  corpus: 'corpora',
  criterion: 'criteria',
  curriculum: 'curriculums',
  data: 'data',
  deer: 'deer',
  equipment: 'equipment',
  fish: 'fish',
  focus: 'foci',
  foot: 'feet',
  genus: 'genera',
  goose: 'geese',
  helix: 'helices',
  human: 'humans',
  index: 'indices',
  information: 'information',
  locus: 'loci',
  man: 'men',
  media: 'media',
  money: 'money',
  mouse: 'mice',
  museum: 'museums',
  nucleus: 'nuclei',
  octopus: 'octopuses',
  person: 'people',
  phenomenon: 'phenomena',
  police: 'police',
  potato: 'potatoes',
  radius: 'radii',
  radix: 'radices',
  rice: 'rice',
  sheep: 'sheep',
  stadium: 'stadiums',
  syllabus: 'syllabi',
  taxon: 'taxa',
  thief: 'thieves',
  tomato: 'tomatoes',
  tooth: 'teeth',
  vertex: 'vertices',
  vortex: 'vortices',
};
/** Irregular plurals that match the complete word only. */
const irregularAlone: Readonly<Record<string, string>> = { alias: 'aliases', axis: 'axes', die: 'dice', ox: 'oxen' };

/** Endings and their plural endings. The first match applies. A word in -s that does not match another ending is already a plural. */
const endings: readonly (readonly [ending: RegExp, plural: string])[] = [
  [/(?<=ea|oa|ar|l|r)f$/, 'ves'],
  [/fe$/, 'ves'],
  [/(?<=[aeo]|[^q]u|^u)y$/, 'ys'],
  [/y$/, 'ies'],
  [/eau$/, 'eaux'],
  [/(?<=i|e|d|im|ant|at|ent|it|tr|ul)um$/, 'a'],
  [/trix$/, 'trices'],
  [/(?<=ys|ops|ips|thes|gnos|bas|cris|genes|mes|oas|res)is$/, 'es'],
  [/(?<=us|ss|ch|sh|x|tz)$/, 'es'],
  [/(?<=[ei])z$/, 'zzes'],
  [/(?<=zz)$/, 'es'],
  [/(?<=io|ano|lo|to|oo)$/, 's'],
  [/(?<=o)$/, 'es'],
  [/s$/, 's'],
];

/**
 * Returns the English plural of a lower-case word, as kubebuilder names resources: `policy` → `policies`, `gateway` → `gateways`, `box` →
 * `boxes`, `index` → `indices`, `redis` → `redis`. The result differs from kubebuilder for singular words that kubebuilder treats as
 * plurals, such as `area`.
 */
export function pluralOf(word: string): string {
  const alone = irregularAlone[word];
  if (alone !== undefined) return alone;
  for (const [singular, plural] of Object.entries(irregular)) {
    if (word.endsWith(plural)) return word;
    if (word.endsWith(singular)) return `${word.slice(0, -singular.length)}${plural}`;
  }
  const found = endings.find(([ending]) => ending.test(word));
  return found === undefined ? `${word}s` : word.replace(...found);
}
