import { kebabCase } from 'create-operator';

/** The class of the controller of a kind, or of one with a name: `WebsiteController`, `website-backup` → `WebsiteBackupController`. */
export function controllerClass(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return `${words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('')}Controller`;
}

/** What the controller of a kind is called beside one of the same name: `BillingInvoiceController`. */
export function otherControllerName(group: string, kind: string): string {
  return controllerClass(`${group.split('.')[0]}-${kind}`);
}

/** Where a controller is: `src/controllers/website-backup-controller.ts`. */
export function namedControllerPath(name: string): string {
  return `src/controllers/${kebabCase(name)}-controller.ts`;
}
