import { contract, type ContractCase } from './contract.js';
import type { ContractApi } from './contract-api.js';

const classes = '/apis/storage.k8s.io/v1/storageclasses';
const quiet = { quiet: true };
const only = [
  'message',
  'reason',
  'details',
  'spec.resources',
  'spec.storageClassName',
  'spec.volumeAttributesClassName',
];
const size = (storage: string): object => ({ resources: { requests: { storage } } });
const grown = { spec: size('3Gi') };
const oldClass = 'volume.beta.kubernetes.io/storage-class';
const bound = { phase: 'Bound' };
const withCapacity = { phase: 'Bound', capacity: { storage: '1Gi' } };

/** A claim of 2Gi with its class and status, and the patches that the case sends one after the other. */
interface Row {
  /** The `allowVolumeExpansion` of the class to create; undefined for no class. `<class>` in the other fields is the name of the class. */
  readonly expands?: boolean | null;
  /** Fields of the metadata of the claim. @default none */
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
  readonly patches: readonly object[];
}

const own = { storageClassName: '<class>' };
const rows: Readonly<Record<string, Row>> = {
  'grows a bound claim': { expands: true, spec: own, patches: [grown] },
  'grows a bound claim several times': { expands: true, spec: own, patches: [grown, { spec: size('3500Mi') }] },
  'does not grow a claim whose class does not set allowVolumeExpansion': { expands: null, spec: own, patches: [grown] },
  'does not grow a claim whose class forbids expansion': { expands: false, spec: own, patches: [grown] },
  'does not grow a claim whose class is absent': { spec: { storageClassName: 'absent' }, patches: [grown] },
  'does not grow a claim with an empty class': { spec: { storageClassName: '' }, patches: [grown] },
  'does not grow a claim without a class': { patches: [grown] },
  'does not grow a claim in the patch that sets its class': {
    expands: true,
    patches: [{ spec: { ...own, ...size('3Gi') } }, { spec: own }, grown],
  },
  'grows a claim whose annotation names the class': {
    expands: true,
    metadata: { annotations: { [oldClass]: '<class>' } },
    patches: [grown],
  },
  'prefers the class in the annotation to the class in the spec': {
    expands: true,
    metadata: { annotations: { [oldClass]: 'absent' } },
    spec: own,
    patches: [grown],
  },
  'rejects a patch that changes the size and the class in the annotation': {
    expands: true,
    spec: own,
    patches: [{ metadata: { annotations: { [oldClass]: 'absent' } }, ...grown }],
  },
  'does not grow an unbound claim': { expands: true, spec: own, status: { phase: 'Pending' }, patches: [grown] },
  'does not grow a lost claim': { expands: true, spec: own, status: { phase: 'Lost' }, patches: [grown] },
  'accepts the unchanged size in another unit': { expands: false, spec: own, patches: [{ spec: size('2048Mi') }] },
  'shrinks a claim to more than its capacity': {
    expands: false,
    spec: own,
    status: withCapacity,
    patches: [{ spec: size('1500Mi') }],
  },
  'does not shrink a claim below its capacity': {
    expands: true,
    spec: own,
    status: withCapacity,
    patches: [{ spec: size('500Mi') }],
  },
  'does not shrink a claim to exactly its capacity': {
    expands: true,
    spec: own,
    status: withCapacity,
    patches: [{ spec: size('1Gi') }],
  },
  'shrinks a claim without a capacity': { expands: true, spec: own, patches: [{ spec: size('1Gi') }] },
  'rejects negative and zero sizes': { expands: true, spec: own, patches: [{ spec: size('-1') }, { spec: size('0') }] },
  'rejects the removal of the size': {
    expands: true,
    spec: own,
    patches: [{ spec: { resources: { requests: null } } }],
  },
  'rejects the addition of limits': {
    expands: true,
    spec: own,
    patches: [{ spec: { resources: { limits: { storage: '5Gi' }, requests: { storage: '3Gi' } } } }],
  },
  'checks the class even if the patch contains a larger capacity in the status': {
    expands: false,
    spec: own,
    patches: [{ status: withCapacity, ...grown }],
  },
  'rejects the removal of the annotation that names the class': {
    expands: true,
    metadata: { annotations: { [oldClass]: '<class>' } },
    patches: [{ metadata: { annotations: { [oldClass]: null } } }, { spec: { storageClassName: 'absent' } }],
  },
  'moves the class from the annotation to the spec': {
    expands: true,
    metadata: { annotations: { [oldClass]: '<class>' } },
    patches: [{ metadata: { annotations: { [oldClass]: null } }, spec: { ...own, ...size('3Gi') } }, grown],
  },
  'rejects the removal of volumeAttributesClassName if the volume has attributes': {
    expands: true,
    spec: { ...own, volumeAttributesClassName: 'x' },
    status: { ...bound, currentVolumeAttributesClassName: 'x' },
    patches: [null, '', 'y'].map((name) => ({ spec: { volumeAttributesClassName: name } })),
  },
  'changes the attributes of a bound claim': {
    expands: false,
    spec: own,
    patches: [{ spec: { volumeAttributesClassName: 'x' } }, { spec: { volumeAttributesClassName: 'y' } }],
  },
};

/** Creates a claim with a status. Returns its path. */
async function claimed(
  api: ContractApi,
  name: string,
  { metadata = {}, spec = {}, status = bound }: Omit<Row, 'patches'>,
): Promise<string> {
  const path = `/api/v1/namespaces/${api.namespace}/persistentvolumeclaims`;
  const body = { accessModes: ['ReadWriteOnce'], volumeName: 'v', ...size('2Gi'), ...spec };
  await api.post(path, { metadata: { name, ...metadata }, spec: body }, quiet);
  await api.patch(`${path}/${name}/status`, { status }, quiet);
  return `${path}/${name}`;
}

const named = <T>(value: T, name: string): T => JSON.parse(JSON.stringify(value).replaceAll('<class>', name)) as T;

const cases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(rows).map(([title, row]): readonly [string, ContractCase] => [
    title,
    async (api) => {
      const name = api.name('class');
      const { expands, patches, ...claim } = named(row, name);
      if (expands !== undefined) {
        const body = { metadata: { name }, provisioner: 'a.example.com', allowVolumeExpansion: expands };
        await api.post(classes, body, quiet);
      }
      if (expands === true) {
        // A real server reads classes from a cache, which it updates with a delay.
        const probe = await claimed(api, 'probe', { spec: { storageClassName: name } });
        await api.eventually(
          'the class',
          () => api.patch(`${probe}?dryRun=All`, grown, quiet),
          ({ status }) => status === 200,
        );
      }
      const path = await claimed(api, 'a', claim);
      for (const patch of patches) await api.patch(path, patch, { only });
    },
  ]),
);

contract('claim-resizing', {}, cases);
