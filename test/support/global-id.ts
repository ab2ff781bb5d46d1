/** Global ids, as clients see them: opaque. Tests make them of keys, and read the keys where the database is asked. */

export function globalId(type: string, key: string | number): string {
  return Buffer.from(`${type}:${key}`).toString('base64url');
}

export function keyOf(id: string): string {
  const text = Buffer.from(id, 'base64url').toString();
  return text.slice(text.indexOf(':') + 1);
}

export function connectionId(number: number | undefined): string {
  return globalId('CarrierConnection', number ?? 0);
}
