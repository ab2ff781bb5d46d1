import { type ASTVisitor, FieldsOnCorrectTypeRule, GraphQLError, Kind, type ValidationContext } from 'graphql';
import { didYouMean } from 'graphql/jsutils/didYouMean.js';
import { meantBy } from '../platform/near-names.ts';

/** The rule of graphql-js, whose own suggestions for a field only know names of nearly its length. */
export function knownFields(context: ValidationContext): ASTVisitor {
  const reportError = (error: GraphQLError) => context.reportError(withSuggestion(error, context));
  return FieldsOnCorrectTypeRule(Object.create(context, { reportError: { value: reportError } }));
}

function withSuggestion(error: GraphQLError, context: ValidationContext): GraphQLError {
  const { message, nodes: [node] = [] } = error;
  const type = context.getParentType();
  if (node?.kind !== Kind.FIELD || !type || !('getFields' in type) || message.includes('Did you mean')) return error;
  const suggestion = didYouMean(meantBy(node.name.value, Object.keys(type.getFields())));
  return new GraphQLError(message + suggestion, { nodes: node });
}
