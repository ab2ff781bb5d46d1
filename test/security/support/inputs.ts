import { type GraphQLInputType, type GraphQLNamedInputType, getNamedType, isInputObjectType } from 'graphql';

/** The paths to everything that an argument has inside, itself first. */
export function pathsOf(type: GraphQLInputType, path: readonly string[]): (readonly string[])[] {
  const named = getNamedType(type);
  const inner = isInputObjectType(named)
    ? Object.values(named.getFields()).flatMap(field => pathsOf(field.type, [...path, field.name]))
    : [];
  return [path, ...inner];
}

/** The innermost inputs of an argument: scalars and enums, with their paths. */
export function leavesOf(
  type: GraphQLInputType,
  path: readonly string[],
): { path: readonly string[]; type: GraphQLNamedInputType }[] {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return [{ path, type: named }];
  return Object.values(named.getFields()).flatMap(field => leavesOf(field.type, [...path, field.name]));
}

/** Puts a value at a path; of a list its first entry is meant. */
export function put(given: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = given;
  for (const step of path.slice(0, -1)) {
    const next = at[step];
    at = (Array.isArray(next) ? next[0] : next) as Record<string, unknown>;
    if (typeof at !== 'object' || at === null) return;
  }
  at[path.at(-1) ?? ''] = value;
}
