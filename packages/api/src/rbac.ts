export { type GrantedKind, kindRolesOf, metricsReaderRole } from './rbac/kind-roles-of.js';
export type { OperatorPermissions } from './rbac/operator-permissions.js';
export { isAllowed, ruleAllows } from './rbac/rule-allows.js';
export { type ResourcePermission, type Permission, permissionText, type UrlPermission } from './rbac/permission.js';
export { covers, widestOf } from './rbac/covers.js';
export { permissionsIn } from './rbac/permissions-in.js';
export { rulesOf } from './rbac/rules-of.js';
export type { RoleNames } from './rbac/role-names.js';
export { type OperatorRoleNames, rolesOf } from './rbac/roles-of.js';
