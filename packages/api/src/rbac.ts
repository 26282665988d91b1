export { type GrantedKind, kindRolesOf, metricsReaderRole } from './rbac/kind-roles-of.js';
export type { OperatorRights } from './rbac/operator-rights.js';
export { isAllowed, ruleAllows } from './rbac/rule-allows.js';
export { type ResourceRight, type Right, rightText, type UrlRight } from './rbac/right.js';
export { covers, widestOf } from './rbac/covers.js';
export { rightsIn } from './rbac/rights-in.js';
export { rulesOf } from './rbac/rules-of.js';
export type { RoleNames } from './rbac/role-names.js';
export { type OperatorRoleNames, rolesOf } from './rbac/roles-of.js';
