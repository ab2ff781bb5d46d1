/**
 * An address for each server of a database address: libpq allows several hosts in one (`postgres://a:5432,b:5432/db`),
 * and URLs do not.
 *
 * @throws TypeError for an invalid address
 */
export function serverAddresses(address: string): [URL, ...URL[]] {
  const [, start = '', hosts = '', end = ''] = /^([a-z]+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(address) ?? [
    '',
    address,
  ];
  return hosts.split(',').map(host => new URL(`${start}${host}${end}`)) as [URL, ...URL[]];
}

/** Whether a text is a `postgres://` URL with the name of a database, for which there is no default. */
export function isDatabaseAddress(text: string): boolean {
  try {
    return serverAddresses(text).every(
      ({ protocol, pathname }) => /^postgres(ql)?:$/.test(protocol) && pathname.length > 1,
    );
  } catch {
    return false;
  }
}
