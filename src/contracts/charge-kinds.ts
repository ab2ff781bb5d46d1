import { readdir, readFile, writeFile } from 'node:fs/promises';

/**
 * Writes the list of the ways to charge from the files of their folder. It is code, and not a list that is read when the
 * service starts, so that the engine calls each kind by name, as fast as if it had been written there.
 */

const FOLDER = new URL('../domain/tariffs/charges/', import.meta.url);
const FILE = new URL('charge-kinds.rules.ts', FOLDER);
const SUFFIX = '-charge.rules.ts';

const nameOf = (file: string) =>
  `${file.slice(0, -SUFFIX.length).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Charge`;

/** Types that the functions of the list name. */
const TYPES = [
  ['z', 'zod'],
  ['TariffIssues', '../check-issues.rules.ts'],
  ['CompiledVersion', '../compiled-tariff.rules.ts'],
  ['Situation', '../conditions/condition.rules.ts'],
  ['Path', '../tariff-document.rules.ts'],
  ['CompiledOf, ExplainedAmounts, LineRules, PriceNames', './charge-kind.rules.ts'],
] as const;

function importsOf(files: readonly string[]): string {
  const imported = (what: string, path: string) => ['import', what, 'from', `'${path}';`].join(' ');
  const types = TYPES.map(([names, path]) => imported(`type { ${names} }`, path));
  return [...types, ...files.map(file => imported(`{ ${nameOf(file)} }`, `./${file}`))].join('\n');
}

function textOf(files: readonly string[]): string {
  const names = files.map(nameOf);
  const each = (line: (name: string) => string) => names.map(line).join('\n');
  return `// Written by \`npm run schema:write\` from the files of this folder.

${importsOf(files)}

/** Every way to charge, in the order in which an explanation shows them. */
export const CHARGE_KINDS = [
${each(name => `  ${name},`)}
] as const;

export const chargeFields = {
${each(name => `  ...${name}.form,`)}
};

type Given = z.infer<z.ZodObject<typeof chargeFields>>;

/** What a sum of a price is, ready for the engine; a kind that the price does not have is undefined. */
export interface CompiledSum {
${each(name => `  readonly ${name}: CompiledOf<typeof ${name}>;`)}
}

export const EMPTY_SUM: CompiledSum = {
${each(name => `  ${name}: undefined,`)}
};

export function checkKinds(issues: TariffIssues, path: Path, sum: Given, rules: LineRules): void {
${each(name => `  ${name}.check(issues, path, sum, rules);`)}
}

export function isSumCalculated(sum: Given): boolean {
  return CHARGE_KINDS.some(({ isCalculated }) => isCalculated(sum));
}

export function compileSum(sum: Given, names: PriceNames): CompiledSum {
  return {
${each(name => `    ${name}: ${name}.compile(sum, names),`)}
  };
}

/** In millionths of a cent. */
export function sumOf(sum: CompiledSum, amounts: readonly number[], situation: Situation, above: number): number {
  let microCents = 0;
${each(name => `  if (sum.${name} !== undefined)\n    microCents += ${name}.apply(sum.${name}, amounts, situation, above);`)}
  return microCents;
}

/** What a sum costs, before anything is shipped. */
export function pricingOf(sum: CompiledSum, version: CompiledVersion, above: number): string[] {
  return [
${each(name => `    sum.${name} === undefined ? '' : ${name}.pricing(sum.${name}, version, above),`)}
  ];
}

/** How the parts of a sum were calculated. */
export function explanationsOf(
  sum: CompiledSum,
  price: ExplainedAmounts,
  situation: Situation,
  above: number,
): string[] {
  return [
${each(name => `    sum.${name} === undefined ? '' : ${name}.explain(sum.${name}, price, situation, above),`)}
  ];
}
`;
}

/** The file as it should be. */
async function wanted(): Promise<string> {
  const files = (await readdir(FOLDER)).filter(file => file.endsWith(SUFFIX)).toSorted();
  return textOf(files);
}

const text = await wanted();
if (process.argv[2] === 'write') await writeFile(FILE, text);
else if ((await readFile(FILE, 'utf8')) !== text) {
  process.stderr.write(
    'src/domain/tariffs/charges/charge-kinds.rules.ts is out of date: run `npm run schema:write`.\n',
  );
  process.exitCode = 1;
}
