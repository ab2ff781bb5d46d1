/**
 * The name under which a failed request is counted: the code of a connection's error, and a time that was over by its
 * name.
 */
export function nameOf({ code, name }: { readonly code?: string | number; readonly name: string }): string {
  return typeof code === 'string' ? code : name;
}
