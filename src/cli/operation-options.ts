import { readFileSync } from 'node:fs';
import {
  buildASTSchema,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  getOperationAST,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type OperationDefinitionNode,
  parse,
  typeFromAST,
  valueFromASTUntyped,
} from 'graphql';
import { fromInput, variableDescriptions, variablePlaces } from '../graphql/variable-places.ts';
import type { CommandRow, FileKind } from './command-row.ts';

/**
 * The options of a command that is an operation of the graph: one for each of its variables, and for each field of a
 * variable that is an input object. The checked-in schema says their types, so that help does not load the graph.
 */

/** Typed in place of a value that is removed. */
export const NONE = 'none';

export interface OperationOption {
  /** As it is typed, without the dashes. */
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly defaultValue: unknown;
  /** The variable and the fields within it. */
  readonly path: readonly string[];
  /** The place of the value in issues of the graph. */
  readonly place: readonly (string | number)[];
  readonly isList: boolean;
  /** The name of the type, such as `Int`. */
  readonly type: string;
  /** The names of an enum. */
  readonly names: readonly string[] | undefined;
  readonly isJson: boolean;
  /** Whether `none` is null. */
  readonly canBeNone: boolean;
  /** The content of the file whose name is typed. */
  readonly file: FileKind | undefined;
}

/** Variables that the runner sets to read further pages. */
const OF_PAGES: ReadonlySet<string> = new Set(['after']);

let schema: GraphQLSchema | undefined;

function storedSchema(): GraphQLSchema {
  if (schema) return schema;
  const text = readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8');
  schema = buildASTSchema(parse(text, { noLocation: true }), { assumeValid: true, assumeValidSDL: true });
  return schema;
}

export function optionsOf(row: CommandRow): OperationOption[] {
  const known = storedSchema();
  const document = parse(row.operation);
  const operation = getOperationAST(document) as OperationDefinitionNode;
  const places = variablePlaces(document, operation);
  const descriptions = variableDescriptions(known, document);
  const found = (operation.variableDefinitions ?? []).flatMap(({ variable, type: typeNode, defaultValue }) => {
    const name = variable.name.value;
    if (OF_PAGES.has(name)) return [];
    const type = typeFromAST(known, typeNode) as GraphQLInputType;
    const place = places.get(name) ?? { path: [name], isBesideInput: false };
    return leaves(row, {
      path: [name],
      place: fromInput(place, isInputObjectType(getNullableType(type))),
      type,
      description: descriptions.get(name) ?? '',
      defaultValue: defaultValue && valueFromASTUntyped(defaultValue),
      isRequired: isNonNullType(type) && !defaultValue,
    });
  });
  return found.map(({ path, name, ...option }) => {
    const isTaken = found.some(other => other.path !== path && other.name === name);
    return { ...option, path, name: isTaken ? kebab(path.slice(-2)) : name };
  });
}

interface Value extends Pick<OperationOption, 'path' | 'place' | 'description' | 'isRequired' | 'defaultValue'> {
  readonly type: GraphQLInputType;
}

/** The value itself, or the fields of an object. */
function leaves(row: CommandRow, { type, ...value }: Value): OperationOption[] {
  const key = value.path.join('.');
  const nullable = getNullableType(type);
  const file = row.files?.[key];
  if (isInputObjectType(nullable) && file === undefined) {
    return Object.values(nullable.getFields())
      .filter(({ deprecationReason }) => deprecationReason == null)
      .flatMap(field =>
        leaves(row, {
          path: [...value.path, field.name],
          place: [...value.place, field.name],
          type: field.type,
          description: field.description ?? '',
          defaultValue: field.defaultValue,
          isRequired: value.isRequired && isRequiredInputField(field),
        }),
      );
  }
  const named = getNamedType(type);
  const name = row.names?.[key] ?? kebab(value.path.slice(-1));
  return [
    {
      ...value,
      // The bytes stand in the place of a table, whose rows and columns errors name.
      place: file === 'base64' ? value.place.slice(0, -1) : value.place,
      name,
      description: inHelp(value.description),
      isList: isListType(nullable),
      type: named.name,
      names: isEnumType(named) ? named.getValues().map(({ name }) => name) : undefined,
      isJson: isInputObjectType(named) || named.name === 'JSON',
      canBeNone: row.removable?.includes(name) ?? false,
      file,
    },
  ];
}

function kebab(words: readonly string[]): string {
  return words.join('-').replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

/** Descriptions in help begin with a small letter, and end without a dot. */
function inHelp(description: string): string {
  const text = description.replaceAll(/\s+/g, ' ').replace(/\.$/, '');
  return /^[A-Z][a-z]/.test(text) || /^[AI] /.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
