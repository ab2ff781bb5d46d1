import type { z } from 'zod';
import { oneOfIssue } from '../../platform/input.ts';
import { inputObject } from './fields.input.ts';

/** An object of which callers send exactly one field: `@oneOf` in GraphQL. */
export function oneOf<Shape extends z.core.$ZodShape>(id: string, description: string, shape: Shape) {
  return inputObject(id, { description, isOneOf: true }, shape, (_fields, sent) => {
    const issue = oneOfIssue(Object.keys(shape), sent);
    return issue ? [{ path: [], ...issue }] : [];
  });
}
