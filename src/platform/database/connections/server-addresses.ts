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

export function isDatabaseAddress(text: string): boolean {
  try {
    return serverAddresses(text).every(({ protocol }) => protocol === 'postgres:' || protocol === 'postgresql:');
  } catch {
    return false;
  }
}
