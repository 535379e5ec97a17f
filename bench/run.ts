/* Runs a benchmark with its options: `npm run bench -- catalogue --write`. Without a known name, lists the benchmarks. */

interface Benchmark {
  /** The module that measures when it is imported. */
  file: string;
  measures: string;
  environment?: Readonly<Record<string, string>>;
}

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  catalogue: { file: './catalogue/run.ts', measures: 'reads of the catalogue' },
  garbage: { file: './garbage.ts', measures: 'invalid values' },
  pages: { file: './pages/run.ts', measures: 'pages' },
  people: { file: './people/run.ts', measures: 'accounts and reviewing', environment: { LOG_LEVEL: 'warn' } },
  scaling: { file: './scaling.ts', measures: 'several web processes, and a pooler' },
  search: { file: './search/run.ts', measures: 'searches' },
  signing: { file: './signing/run.ts', measures: 'uploads, validation and signing' },
  updates: { file: './updates/run.ts', measures: 'update checks' },
  year: { file: './year.ts', measures: 'the nights after a simulated year' },
};

const [name = ''] = process.argv.splice(2, 1);
const benchmark = Object.hasOwn(BENCHMARKS, name) ? BENCHMARKS[name] : undefined;
if (benchmark === undefined) {
  const lines = Object.entries(BENCHMARKS).map(([each, { measures }]) => `  ${each.padEnd(10)} ${measures}`);
  console.error(['Usage: npm run bench -- NAME [--option …]', ...lines].join('\n'));
  process.exitCode = 2;
} else {
  Object.assign(process.env, benchmark.environment);
  await import(benchmark.file);
}
