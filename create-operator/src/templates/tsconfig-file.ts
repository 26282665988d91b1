/**
 * Returns the tsconfig.json of a project. Decorators need `experimentalDecorators` and `emitDecoratorMetadata`, and
 * `useDefineForClassFields` must be false.
 */
export function tsconfigFile(): string {
  return `{
  "compilerOptions": {
    "target": "es2023",
    "lib": ["es2023", "esnext.disposable"],
    "module": "nodenext",
    "types": ["node"],
    "rootDir": "src",
    "outDir": "dist",
    "incremental": true,
    "tsBuildInfoFile": "dist/.tsbuildinfo",
    "sourceMap": true,
    "experimentalDecorators": true,
    "emitDecoratorMetadata": true,
    "useDefineForClassFields": false,
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "noImplicitOverride": true,
    "verbatimModuleSyntax": true,
    "skipLibCheck": true
  },
  "include": ["src"]
}
`;
}
