import { codegen } from '@graphql-codegen/core';
import * as operationTypes from '@graphql-codegen/typescript-operations';
import { parse, printSchema } from 'graphql';
import { ADAPTERS } from './adapters.ts';
import { CarrierSchema } from './mesh.ts';

/**
 * Generates the types of each carrier's responses and of the variables of its operations, by file name beside the
 * carrier's document. They are made from the schema that Mesh makes of the document, so they describe Mesh's output: any
 * part may be null. Only `npm run schema:write` loads this module.
 */
export async function answerTypes(): Promise<Readonly<Record<string, string>>> {
  const files = [...new Set(Object.values(ADAPTERS))].map(async ({ document, address, tracking }) => {
    const carrier = await CarrierSchema.load(document);
    const name = `${document.slice(0, 1).toUpperCase()}${document.slice(1)}`;
    const operations = [
      ...(address ? [carrier.text(address.operation, `${name}Address`)] : []),
      carrier.text(tracking.operation, `${name}Tracking`),
    ];
    const types = await codegen({
      filename: `${document}.d.ts`,
      schema: parse(printSchema(carrier.schema)),
      documents: operations.map(operation => ({ document: parse(operation) })),
      plugins: [{ operations: {} }],
      pluginMap: { operations: operationTypes },
      config: {
        immutableTypes: true,
        inlineFragmentTypes: 'inline',
        maybeValue: 'T | null | undefined',
        omitOperationSuffix: true,
        onlyOperationTypes: true,
        skipTypename: true,
      },
    });
    const head = `// Written by \`npm run schema:write\`, from ${document}.yaml.`;
    return [`schema/carriers/${document}.d.ts`, `${head}\n\n${types.trim()}\n`] as const;
  });
  return Object.fromEntries(await Promise.all(files));
}
