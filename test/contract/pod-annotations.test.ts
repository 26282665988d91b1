import { contract, type ContractCase } from './contract.js';
import { container, podSpec } from './pod-bodies.js';

const appArmor = 'container.apparmor.security.beta.kubernetes.io/';
const seccomp = 'container.seccomp.security.alpha.kubernetes.io/';
const seccompOfPod = 'seccomp.security.alpha.kubernetes.io/pod';
const shown = {
  only: ['message', 'reason', 'details', 'metadata.annotations', 'spec.securityContext', 'spec.containers'],
};
const profile = (field: string, type: string, localhostProfile?: string): object => ({
  securityContext: { [field]: { type, localhostProfile } },
});
const appArmorProfile = (type: string, file?: string): object => profile('appArmorProfile', type, file);
const seccompProfile = (type: string, file?: string): object => profile('seccompProfile', type, file);
const one = (own: object): object => podSpec({ containers: [container(own)] });

/** Pods with annotations: the annotations and the spec. */
const pods: Readonly<Record<string, readonly [annotations: Readonly<Record<string, string>>, spec?: object]>> = {
  'copies the default AppArmor profile': [{ [`${appArmor}c`]: 'runtime/default' }],
  'copies an unconfined AppArmor profile': [{ [`${appArmor}c`]: 'unconfined' }],
  'copies an AppArmor profile of the node': [{ [`${appArmor}c`]: 'localhost/p' }],
  'warns about an AppArmor profile without a name': [{ [`${appArmor}c`]: 'localhost/' }],
  'warns about an empty AppArmor profile': [{ [`${appArmor}c`]: '' }],
  'rejects an unknown AppArmor profile': [{ [`${appArmor}c`]: 'x' }],
  'rejects an AppArmor profile of an absent container': [{ [`${appArmor}d`]: 'unconfined' }],
  'does not copy the AppArmor profile of the Pod': [
    { [`${appArmor}c`]: 'unconfined' },
    podSpec(appArmorProfile('Unconfined')),
  ],
  'copies an AppArmor profile that differs from the profile of the Pod': [
    { [`${appArmor}c`]: 'unconfined' },
    podSpec(appArmorProfile('RuntimeDefault')),
  ],
  'rejects a different type of the AppArmor profile': [
    { [`${appArmor}c`]: 'unconfined' },
    one(appArmorProfile('RuntimeDefault')),
  ],
  'rejects a different name of the AppArmor profile': [
    { [`${appArmor}c`]: 'localhost/p' },
    one(appArmorProfile('Localhost', 'q')),
  ],
  'accepts an equal AppArmor profile without a warning': [
    { [`${appArmor}c`]: 'localhost/p' },
    one(appArmorProfile('Localhost', 'p')),
  ],
  'does not copy AppArmor profiles for Windows': [
    { [`${appArmor}c`]: 'unconfined' },
    podSpec({ os: { name: 'windows' } }),
  ],
  'warns about seccomp profiles of the Pod and its containers': [
    { [seccompOfPod]: 'runtime/default', [`${seccomp}c`]: 'localhost/p', [`${seccomp}d`]: 'unconfined' },
  ],
  'rejects an unknown seccomp profile': [{ [seccompOfPod]: 'x' }],
  'rejects an absolute path of a seccomp profile': [{ [`${seccomp}c`]: 'localhost//p/../q' }],
  'rejects a different seccomp profile of the Pod': [
    { [seccompOfPod]: 'unconfined' },
    podSpec(seccompProfile('RuntimeDefault')),
  ],
  'rejects a different seccomp profile of a container': [
    { [`${seccomp}c`]: 'localhost/p' },
    one(seccompProfile('Localhost', 'q')),
  ],
  'accepts an equal seccomp profile without a warning': [
    { [seccompOfPod]: 'docker/default' },
    podSpec(seccompProfile('RuntimeDefault')),
  ],
};

const podCases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(pods).map(([title, [annotations, spec = podSpec()]]): readonly [string, ContractCase] => [
    title,
    async (api) => {
      await api.post(
        `/api/v1/namespaces/${api.namespace}/pods?dryRun=All`,
        { metadata: { name: 'a', annotations }, spec },
        shown,
      );
    },
  ]),
);

contract(
  'pod-annotations',
  {},
  {
    ...podCases,
    'warns about profiles in the annotations of a template': async (api) => {
      const metadata = {
        labels: { a: 'b' },
        annotations: { [`${appArmor}c`]: 'unconfined', [`${seccomp}c`]: 'unconfined', [seccompOfPod]: 'unconfined' },
      };
      const post = async (spec: object): Promise<void> => {
        const template = { metadata, spec };
        const body = { metadata: { name: 'a' }, spec: { selector: { matchLabels: { a: 'b' } }, template } };
        const path = `/apis/apps/v1/namespaces/${api.namespace}/deployments?dryRun=All`;
        await api.post(path, body, { only: ['message', 'spec.template'] });
      };
      await post(podSpec());
      await post(podSpec(appArmorProfile('Unconfined')));
      await post(podSpec(appArmorProfile('RuntimeDefault')));
      await post(
        one({ securityContext: { appArmorProfile: { type: 'Unconfined' }, seccompProfile: { type: 'Unconfined' } } }),
      );
    },
  },
);
