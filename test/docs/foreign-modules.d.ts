// Modules of others that pages name and that are not installed here.
declare module '@opentelemetry/sdk-node' {
  export class NodeSDK {
    constructor(options: { readonly serviceName: string });
    start(): void;
  }
}
