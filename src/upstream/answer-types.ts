import { codegen } from '@graphql-codegen/core';
import * as operations from '@graphql-codegen/typescript-operations';
import { parse, printSchema } from 'graphql';
import { ADAPTERS } from './adapters.ts';
import { CarrierSchema } from './mesh.ts';

/**
 * Types of what each carrier responds to the operations of its adapter, and of their variables, by the file that they stand
 * in beside the carrier's document. Made of the schema that Mesh makes of the document, so they say what Mesh hands over:
 * any part of it may be null. For `npm run schema:write`; the service never loads this.
 */
export async function answerTypes(): Promise<Readonly<Record<string, string>>> {
  const files = Object.values(ADAPTERS).map(async ({ document, address, tracking }) => {
    const { schema } = await CarrierSchema.load(document, () => Promise.reject(new Error('Nothing is asked here')));
    const types = await codegen({
      filename: `${document}.d.ts`,
      schema: parse(printSchema(schema)),
      documents: [address, tracking].map(({ operation }) => ({ document: parse(operation) })),
      plugins: [{ operations: {} }],
      pluginMap: { operations },
      config: {
        immutableTypes: true,
        inlineFragmentTypes: 'inline',
        maybeValue: 'T | null | undefined',
        omitOperationSuffix: true,
        onlyOperationTypes: true,
        skipTypename: true,
      },
    });
    const head = `// Written by \`npm run schema:write\`, from ${document}.yaml and the operations of src/upstream/${document}.ts.`;
    return [`schema/carriers/${document}.d.ts`, `${head}\n\n${types.trim()}\n`] as const;
  });
  return Object.fromEntries(await Promise.all(files));
}
