import { contract, type ContractCase } from './contract.js';
import type { ContractApi } from './contract-api.js';

const storage = 'storageclass.kubernetes.io/is-default-class';
const oldStorage = 'storageclass.beta.kubernetes.io/is-default-class';
const ingress = 'ingressclass.kubernetes.io/is-default-class';
const oldIngress = 'ingressclass.beta.kubernetes.io/is-default-class';

type Annotations = Readonly<Record<string, string>>;
/** A class: its name, its annotations, and whether it is created in a later second than the class before it. */
type Class = readonly [name: string, annotations: Annotations, isLater?: boolean];
/** The classes, the name of the expected default class, and the fields of an object to create. */
type Row = readonly [classes: readonly Class[], name: string, fields?: Fields];
interface Fields {
  readonly annotations?: Annotations;
  readonly spec?: object;
}

/** A kind of class, the kind of the objects that have such a class, and their field for the name of the class. */
interface Kind {
  readonly classes: string;
  readonly body: object;
  readonly plural: (api: ContractApi) => string;
  readonly spec: object;
  readonly field: string;
}

const claims: Kind = {
  classes: '/apis/storage.k8s.io/v1/storageclasses',
  body: { provisioner: 'a.example.com' },
  plural: ({ namespace }) => `/api/v1/namespaces/${namespace}/persistentvolumeclaims`,
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  field: 'storageClassName',
};
const ingresses: Kind = {
  classes: '/apis/networking.k8s.io/v1/ingressclasses',
  body: { spec: { controller: 'a.example.com/c' } },
  plural: ({ namespace }) => `/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses`,
  spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
  field: 'ingressClassName',
};
const quiet = { quiet: true };

/** Waits until a class that is created now has another creation time. */
async function laterThan(api: ContractApi, { classes, body }: Kind, time: string): Promise<void> {
  await api.pass(1000);
  await api.eventually(
    'the next second',
    () => api.post(`${classes}?dryRun=All`, { metadata: { name: 'time' }, ...body }, quiet),
    (answer) => answer.body.metadata.creationTimestamp !== time,
  );
}

/** Creates the classes. Starts again if classes that must have the same creation time were created in different seconds. */
async function create(
  api: ContractApi,
  kind: Kind,
  classes: readonly Class[],
  names: ReadonlyMap<string, string>,
): Promise<void> {
  let time = '';
  for (const [name, annotations, isLater] of classes) {
    if (isLater === true) await laterThan(api, kind, time);
    const metadata = { name: names.get(name), annotations };
    const { body } = await api.post(kind.classes, { metadata, ...kind.body }, quiet);
    const created = String(body.metadata.creationTimestamp);
    if (time !== '' && isLater !== true && created !== time) {
      await remove(api, kind, names);
      await create(api, kind, classes, names);
      return;
    }
    time = created;
  }
}

async function remove(api: ContractApi, kind: Kind, names: ReadonlyMap<string, string>): Promise<void> {
  for (const name of names.values()) await api.delete(`${kind.classes}/${name}`, undefined, quiet);
}

/**
 * Waits until the server sets this class, or no class, for a new object. A real server reads classes from a cache, which it updates with a
 * delay.
 */
async function defaulted(api: ContractApi, kind: Kind, name: string | undefined): Promise<void> {
  await api.eventually(
    `the default class ${name}`,
    () => api.post(`${kind.plural(api)}?dryRun=All`, { metadata: { name: 'a' }, spec: kind.spec }, quiet),
    ({ body }) => body.spec[kind.field] === name,
  );
}

const shown = (kind: Kind): object => ({ only: ['message', 'details', `spec.${kind.field}`, 'metadata.annotations'] });

function caseOf(kind: Kind, [classes, expected, fields = {}]: Row): ContractCase {
  return async (api) => {
    const names = new Map(classes.map(([name]) => [name, api.name(name)]));
    const { annotations, spec } = fields;
    await api.post(kind.plural(api), { metadata: { name: 'older' }, spec: kind.spec }, quiet);
    await create(api, kind, classes, names);
    try {
      await defaulted(api, kind, names.get(expected));
      await api.post(
        `${kind.plural(api)}?dryRun=All`,
        { metadata: { name: 'a', annotations }, spec: { ...kind.spec, ...spec } },
        shown(kind),
      );
      await api.patch(`${kind.plural(api)}/older`, { metadata: { annotations: { a: 'b' } } }, shown(kind));
    } finally {
      await remove(api, kind, names);
      await defaulted(api, kind, undefined);
    }
  };
}

const yes = { [storage]: 'true' };
const oldYes = { [oldStorage]: 'true' };
const claimRows: Readonly<Record<string, Row>> = {
  'sets the default class of new claims only': [[['a', yes]], 'a'],
  'ignores annotation values other than true': [
    [
      ['a', { [storage]: 'True', [oldStorage]: '1' }],
      ['b', yes],
    ],
    'b',
  ],
  'uses the beta annotation': [[['a', oldYes]], 'a'],
  'uses the beta annotation even if the other annotation is false': [
    [
      ['a', { ...oldYes, [storage]: 'false' }],
      ['b', yes],
    ],
    'a',
  ],
  'prefers the newest class': [
    [
      ['a', yes],
      ['b', yes, true],
    ],
    'b',
  ],
  'prefers the first name if several classes are the newest': [
    [
      ['a', yes],
      ['c', yes, true],
      ['b', yes],
    ],
    'b',
  ],
  'prefers the newest class regardless of the annotation': [
    [
      ['a', yes],
      ['b', oldYes, true],
    ],
    'b',
  ],
  'prefers the first name regardless of the annotation': [
    [
      ['b', yes],
      ['a', oldYes],
    ],
    'a',
  ],
  'keeps an empty class of a claim': [[['a', yes]], 'a', { spec: { storageClassName: '' } }],
  'keeps the class of a claim': [[['a', yes]], 'a', { spec: { storageClassName: 'absent' } }],
  'keeps the class in the annotation of a claim': [
    [['a', yes]],
    'a',
    { annotations: { 'volume.beta.kubernetes.io/storage-class': 'absent' } },
  ],
  'keeps an empty class in the annotation of a claim': [
    [['a', yes]],
    'a',
    { annotations: { 'volume.beta.kubernetes.io/storage-class': '' } },
  ],
  'sets the class of a claim with a volume': [[['a', yes]], 'a', { spec: { volumeName: 'v' } }],
};

const isDefault = { [ingress]: 'true' };
const ingressRows: Readonly<Record<string, Row>> = {
  'sets the default class of new Ingresses only': [[['a', isDefault]], 'a'],
  'ignores annotation values other than true': [
    [
      ['a', { [ingress]: 'false' }],
      ['b', isDefault],
    ],
    'b',
  ],
  'ignores the beta annotation': [
    [
      ['a', { [oldIngress]: 'true', [storage]: 'true' }],
      ['b', isDefault],
    ],
    'b',
  ],
  'prefers the newest class': [
    [
      ['a', isDefault],
      ['b', isDefault, true],
    ],
    'b',
  ],
  'prefers the first name if several classes are the newest': [
    [
      ['a', isDefault],
      ['c', isDefault, true],
      ['b', isDefault],
    ],
    'b',
  ],
  'rejects an empty class of an Ingress': [[['a', isDefault]], 'a', { spec: { ingressClassName: '' } }],
  'keeps the class of an Ingress': [[['a', isDefault]], 'a', { spec: { ingressClassName: 'absent' } }],
  'keeps the class in the annotation of an Ingress': [
    [['a', isDefault]],
    'a',
    { annotations: { 'kubernetes.io/ingress.class': 'absent' } },
  ],
  'keeps an empty class in the annotation of an Ingress': [
    [['a', isDefault]],
    'a',
    { annotations: { 'kubernetes.io/ingress.class': '' } },
  ],
};

const casesOf = (name: string, kind: Kind, rows: Readonly<Record<string, Row>>): Record<string, ContractCase> =>
  Object.fromEntries(Object.entries(rows).map(([title, row]) => [`${name}: ${title}`, caseOf(kind, row)]));

contract(
  'default-classes',
  { passesTime: true, oneByOne: true },
  { ...casesOf('StorageClass', claims, claimRows), ...casesOf('IngressClass', ingresses, ingressRows) },
);
