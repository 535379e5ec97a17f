/** The part of the linter's programming interface that `linter-process.ts` calls; the package ships no types. */
declare module 'addons-linter' {
  interface LinterConfig {
    _: [path: string];
    logLevel: 'fatal';
    output: 'none';
    boring: boolean;
    selfHosted: boolean;
    privileged: boolean;
    minManifestVersion: number;
    maxManifestVersion: number;
  }

  interface LinterOutput {
    count: number;
    summary: { errors: number; warnings: number; notices: number };
    metadata: Record<string, unknown> | null;
    errors: object[];
    warnings: object[];
    notices: object[];
  }

  const linter: {
    createInstance(options: { config: LinterConfig; runAsBinary: boolean }): { run(): Promise<LinterOutput> };
  };
  export default linter;
}
