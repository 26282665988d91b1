const VERBS = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];
/** The group of the numbered kinds, which have no objects. */
export const NUMBERED_GROUP = 'numbered.example.com';
const NUMBERED = 100;
const GROUP = 'apps.example.com';

function resource(kind: string, name = `${kind.toLowerCase()}s`): object {
  return { name, singularName: kind.toLowerCase(), namespaced: true, kind, verbs: VERBS };
}
function resources(groupVersion: string, list: readonly object[]): object {
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: list };
}
function group(name: string, version: string): object {
  const served = { groupVersion: `${name}/${version}`, version };
  return { name, versions: [served], preferredVersion: served };
}
const groups = [group(GROUP, 'v1alpha1'), group(NUMBERED_GROUP, 'v1')];

/** The discovery documents of the load server, by path. */
export const DISCOVERY: Readonly<Record<string, object>> = {
  '/version': { major: '1', minor: '36', gitVersion: 'v1.36.3' },
  '/api': { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] },
  '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups },
  [`/apis/${GROUP}`]: { kind: 'APIGroup', apiVersion: 'v1', ...groups[0] },
  [`/apis/${NUMBERED_GROUP}`]: { kind: 'APIGroup', apiVersion: 'v1', ...groups[1] },
  '/api/v1': resources('v1', [resource('Pod')]),
  [`/apis/${GROUP}/v1alpha1`]: resources(`${GROUP}/v1alpha1`, [
    resource('WebService'),
    { ...resource('WebService', 'webservices/status'), verbs: ['get', 'patch', 'update'] },
  ]),
  [`/apis/${NUMBERED_GROUP}/v1`]: resources(
    `${NUMBERED_GROUP}/v1`,
    Array.from({ length: NUMBERED }, (_, at) => resource(`Numbered${at}`)),
  ),
};
