import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { connectionSettings } from '../../src/platform/database/connections/connection-settings.ts';
import { serverAddresses } from '../../src/platform/database/connections/server-addresses.ts';

describe('An address of a database', () => {
  const servers: [address: string, hosts: string[]][] = [
    ['postgres://u:p@a:5432/db', ['a:5432']],
    ['postgresql://u:p@a,b/db?target_session_attrs=primary', ['a', 'b']],
    ['postgres://u:p%40q@a:5432,b:5433,c:5434/db?sslmode=require', ['a:5432', 'b:5433', 'c:5434']],
    ['postgres://[::1]:5432,[::2]:5432/db', ['[::1]:5432', '[::2]:5432']],
    ['postgres:///db?host=/tmp', ['']],
  ];
  test.each(servers)('can name several servers: %s', (address, hosts) => {
    const found = serverAddresses(address);
    expect(found.map(({ host }) => host)).toEqual(hosts);
    for (const { username, pathname, search } of found) {
      expect([username, pathname, search]).toEqual([found[0].username, '/db', found[0].search]);
    }
  });

  test.each([
    'postgres://u:p@a:5432,b:x/db',
    'http://a,b/db',
    'a,b',
    'postgres://a,b:5432:1/db',
    'postgres://u:p@a:5432',
    'postgres://u:p@a/?sslmode=require',
  ])('is rejected: %s', address => {
    expect(() => readConfig({ DATABASE_URL: address })).toThrow(
      'DATABASE_URL is set, but must be a postgres:// URL with the name of a database.',
    );
  });

  test.each(['', '?target_session_attrs=any', '?target_session_attrs=standby'])(
    'that names several servers has to say which one is wanted: %s is not enough',
    search => {
      expect(() => connectionSettings(`postgres://u:p@a,b/db${search}`)).toThrow(
        'target_session_attrs of the database address must be one of read-write, primary, prefer-standby; several hosts need it.',
      );
    },
  );
});
