import { contract, type ContractCase } from './contract.js';
import type { ContractApi } from './contract-api.js';

const storage = 'storageclass.kubernetes.io/is-default-class';
const oldStorage = 'storageclass.beta.kubernetes.io/is-default-class';
const ingress = 'ingressclass.kubernetes.io/is-default-class';
const oldIngress = 'ingressclass.beta.kubernetes.io/is-default-class';

type Annotations = Readonly<Record<string, string>>;
/** A class: its name, its annotations, and whether it is created in a later second than the class before it. */
type Class = readonly [name: string, annotations: Annotations, isLater?: boolean];
/** Classes, the name of the default class, and fields of an object to create. */
type Row = readonly [classes: readonly Class[], name: string, fields?: Fields];
interface Fields {
  readonly annotations?: Annotations;
  readonly spec?: object;
}

/** A kind of class, the kind of its objects, and the field for the name of the class. */
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

/** Creates the classes. Repeats classes that should have the same creation time until they do. */
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

/** Waits until a new object without a class has the class. The cache of a real server contains the classes after a while. */
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
  'ignores other values than true': [
    [
      ['a', { [storage]: 'True', [oldStorage]: '1' }],
      ['b', yes],
    ],
    'b',
  ],
  'uses the annotation of beta': [[['a', oldYes]], 'a'],
  'uses the annotation of beta despite the other annotation': [
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
  'prefers the first name of the newest classes': [
    [
      ['a', yes],
      ['c', yes, true],
      ['b', yes],
    ],
    'b',
  ],
  'prefers the newest class among both annotations': [
    [
      ['a', yes],
      ['b', oldYes, true],
    ],
    'b',
  ],
  'prefers the first name among both annotations': [
    [
      ['b', yes],
      ['a', oldYes],
    ],
    'a',
  ],
  'keeps an empty class': [[['a', yes]], 'a', { spec: { storageClassName: '' } }],
  'keeps another class': [[['a', yes]], 'a', { spec: { storageClassName: 'absent' } }],
  'keeps a class in the annotation': [
    [['a', yes]],
    'a',
    { annotations: { 'volume.beta.kubernetes.io/storage-class': 'absent' } },
  ],
  'keeps an empty class in the annotation': [
    [['a', yes]],
    'a',
    { annotations: { 'volume.beta.kubernetes.io/storage-class': '' } },
  ],
  'sets the class of a claim with a volume': [[['a', yes]], 'a', { spec: { volumeName: 'v' } }],
};

const isDefault = { [ingress]: 'true' };
const ingressRows: Readonly<Record<string, Row>> = {
  'sets the default class of new Ingresses only': [[['a', isDefault]], 'a'],
  'ignores other values than true': [
    [
      ['a', { [ingress]: 'false' }],
      ['b', isDefault],
    ],
    'b',
  ],
  'ignores an annotation of beta': [
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
  'prefers the first name of the newest classes': [
    [
      ['a', isDefault],
      ['c', isDefault, true],
      ['b', isDefault],
    ],
    'b',
  ],
  'rejects an empty class': [[['a', isDefault]], 'a', { spec: { ingressClassName: '' } }],
  'keeps another class': [[['a', isDefault]], 'a', { spec: { ingressClassName: 'absent' } }],
  'keeps a class in the annotation': [
    [['a', isDefault]],
    'a',
    { annotations: { 'kubernetes.io/ingress.class': 'absent' } },
  ],
  'keeps an empty class in the annotation': [
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
