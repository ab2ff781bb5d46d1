import {
  type ASTVisitor,
  FieldsOnCorrectTypeRule,
  getNullableType,
  type OperationDefinitionNode,
  specifiedRules,
  type ValidationContext,
  VariablesInAllowedPositionRule,
} from 'graphql';
import { knownFields } from './did-you-mean.ts';

/** The rules by which documents are validated: the rules of graphql-js, two of them with a correction. */
export const DOCUMENT_RULES = specifiedRules.map(rule => {
  if (rule === FieldsOnCorrectTypeRule) return knownFields;
  return rule === VariablesInAllowedPositionRule ? variablesInPlace : rule;
});

/** graphql-js misses a nullable variable in a `@oneOf` input that is itself required. */
function variablesInPlace(context: ValidationContext): ASTVisitor {
  const getRecursiveVariableUsages = (operation: OperationDefinitionNode) =>
    context.getRecursiveVariableUsages(operation).map(usage => ({
      ...usage,
      parentType: getNullableType(usage.parentType),
    }));
  return VariablesInAllowedPositionRule(
    Object.create(context, { getRecursiveVariableUsages: { value: getRecursiveVariableUsages } }),
  );
}
