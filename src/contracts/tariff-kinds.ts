import { readdir, readFile, writeFile } from 'node:fs/promises';

/**
 * Writes the lists of the ways to charge and of the conditions from the files of their folders. They are code, and not read when
 * the service starts, so that the engine calls each kind by name, as fast as if it had been written there.
 */

const TARIFFS = new URL('../domain/pricing/tariffs/', import.meta.url);

/** A file that has a kind, and the name by which it exports it. */
interface Kind {
  readonly file: string;
  readonly name: string;
}

type Import = readonly [what: string, path: string];

async function kindsIn(folder: string, suffix: string): Promise<Kind[]> {
  const files = (await readdir(new URL(folder, TARIFFS))).filter(file => file.endsWith(`-${suffix}.rules.ts`));
  return files.toSorted().map(file => {
    const name = file.slice(0, -'.rules.ts'.length).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    return { file, name };
  });
}

function head(kinds: readonly Kind[], types: readonly Import[]): string {
  const imported = (what: string, path: string) => ['import', what, 'from', `'${path}';`].join(' ');
  const all = [
    ...types.map(([names, path]) => imported(`type { ${names} }`, path)),
    ...kinds.map(({ name, file }) => imported(`{ ${name} }`, `./${file}`)),
  ];
  return `// Written by \`npm run schema:write\` from the files of this folder.\n\n${all.join('\n')}\n`;
}

const each = (kinds: readonly Kind[], line: (name: string) => string, between = '\n') =>
  kinds.map(({ name }) => line(name)).join(between);

const CHARGE_TYPES: readonly Import[] = [
  ['z', 'zod'],
  ['TariffIssues', '../check/check-issues.rules.ts'],
  ['Situation', '../shipment-terms.rules.ts'],
  ['Path', '../format/tariff-document.rules.ts'],
  ['CompiledOf, DescribedPrice, ExplainedAmounts, LineRules, PriceNames', './charge-kind.rules.ts'],
];

async function chargeKinds(): Promise<string> {
  const kinds = await kindsIn('charges/', 'charge');
  return `${head(kinds, CHARGE_TYPES)}
/** Every way to charge, in the order in which an explanation shows them. */
export const CHARGE_KINDS = [
${each(kinds, name => `  ${name},`)}
] as const;

export const chargeFields = {
${each(kinds, name => `  ...${name}.form,`)}
};

/** Fields that are a price by themselves. */
export const SUM_PARTS: readonly string[] = CHARGE_KINDS.flatMap(({ parts }): readonly string[] => parts);

/** Fields that need others beside them. */
export const SUM_NEEDS = Object.assign({}, ...CHARGE_KINDS.map(({ needs }) => needs)) as Readonly<
  Record<string, readonly string[]>
>;

export type Sum = z.infer<z.ZodObject<typeof chargeFields>>;

/** A sum of a price, compiled for the engine; a kind that the price does not have is undefined. */
export interface CompiledSum {
${each(kinds, name => `  readonly ${name}: CompiledOf<typeof ${name}>;`)}
}

export const EMPTY_SUM: CompiledSum = {
${each(kinds, name => `  ${name}: undefined,`)}
};

export function checkSum(issues: TariffIssues, path: Path, sum: Sum, rules: LineRules): void {
  if (SUM_PARTS.every(part => sum[part as keyof Sum] === undefined))
    issues.add(path, 'required', \`must have at least one of \${SUM_PARTS.join(', ')}\`);
  for (const kind of CHARGE_KINDS) kind.check(issues, path, sum, rules);
}

export function isSumCalculated(sum: Sum): boolean {
  return CHARGE_KINDS.some(({ isCalculated }) => isCalculated(sum));
}

export function compileSum(sum: Sum, names: PriceNames): CompiledSum {
  return {
${each(kinds, name => `    ${name}: ${name}.compile(sum, names),`)}
  };
}

/** In millionths of a cent. */
export function sumOf(sum: CompiledSum, amounts: readonly number[], situation: Situation, above: number): number {
  let microCents = 0;
${each(kinds, name => `  if (sum.${name} !== undefined)\n    microCents += ${name}.apply(sum.${name}, amounts, situation, above);`)}
  return microCents;
}

/** The price of a sum, before anything is shipped. */
export function pricingOf(sum: CompiledSum, price: DescribedPrice, above: number): string[] {
  return [
${each(kinds, name => `    sum.${name} === undefined ? '' : ${name}.pricing(sum.${name}, price, above),`)}
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
${each(kinds, name => `    sum.${name} === undefined ? '' : ${name}.explain(sum.${name}, price, situation, above),`)}
  ];
}
`;
}

const CONDITION_TYPES: readonly Import[] = [
  ['z', 'zod'],
  ['TariffIssues', '../check/check-issues.rules.ts'],
  ['Path', '../format/tariff-document.rules.ts'],
  ['CompiledConditionOf, KnownCodes, Names', './condition-kind.rules.ts'],
  ['Situation', '../shipment-terms.rules.ts'],
];

async function conditionKinds(): Promise<string> {
  const kinds = await kindsIn('conditions/', 'condition');
  const known = new Map<string, { readonly isEarly: boolean; readonly isCostly: boolean }>();
  for (const { file, name } of kinds) {
    known.set(name, (await import(new URL(`conditions/${file}`, TARIFFS).href))[name]);
  }
  const early = kinds.filter(({ name }) => known.get(name)?.isEarly);
  const cheapFirst = kinds.toSorted(
    (a, b) => Number(known.get(a.name)?.isCostly) - Number(known.get(b.name)?.isCostly),
  );
  return `${head(kinds, CONDITION_TYPES)}
/** Every condition. */
export const CONDITION_KINDS = [
${each(kinds, name => `  ${name},`)}
] as const;

/** The facts that are known before the weight. */
export const earlyFields = {
${each(early, name => `  ...${name}.form,`)}
};

export const conditionFields = {
${each(kinds, name => `  ...${name}.form,`)}
};

type Given = z.infer<z.ZodObject<typeof conditionFields>>;

/** Conditions that must all hold, ready for the engine; one that is not given is undefined. */
export interface CompiledTests {
${each(cheapFirst, name => `  readonly ${name}: CompiledConditionOf<typeof ${name}>;`)}
}

export function checkTests(issues: TariffIssues, path: Path, given: Given, known: KnownCodes): void {
  for (const kind of CONDITION_KINDS) kind.check(issues, path, given, known);
}

export function compileTests(given: Given, names: Names): CompiledTests {
  return {
${each(cheapFirst, name => `    ${name}: ${name}.compile(given, names),`)}
  };
}

export function testsHold(tests: CompiledTests, situation: Situation): boolean {
  return (
${each(cheapFirst, name => `    (tests.${name} === undefined || ${name}.holds(tests.${name}, situation))`, ' &&\n')}
  );
}
`;
}

const FILES: readonly (readonly [path: string, text: () => Promise<string>])[] = [
  // Charges import conditions.
  ['conditions/condition-kinds.rules.ts', conditionKinds],
  ['charges/charge-kinds.rules.ts', chargeKinds],
];

for (const [path, wanted] of FILES) {
  const file = new URL(path, TARIFFS);
  const text = await wanted();
  if (process.argv[2] === 'write') await writeFile(file, text);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(`src/domain/pricing/tariffs/${path} is out of date: run \`npm run schema:write\`.\n`);
    process.exitCode = 1;
  }
}
