// Third-party modules that the pages import and that are not installed in this repository.
declare module '@opentelemetry/sdk-node' {
  export class NodeSDK {
    constructor(options: { readonly serviceName: string });
    start(): void;
  }
}
