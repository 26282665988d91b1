import { kebabCase } from 'create-operator';

/** Returns the class name of a controller: `Website` → `WebsiteController`, `website-backup` → `WebsiteBackupController`. */
export function controllerClass(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return `${words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('')}Controller`;
}

/** Returns the alternative class name of a controller, with the group as a prefix: `BillingInvoiceController`. */
export function otherControllerName(group: string, kind: string): string {
  return controllerClass(`${group.split('.')[0]}-${kind}`);
}

/** Returns the path of a controller: `src/controllers/website-backup-controller.ts`. */
export function namedControllerPath(name: string): string {
  return `src/controllers/${kebabCase(name)}-controller.ts`;
}
