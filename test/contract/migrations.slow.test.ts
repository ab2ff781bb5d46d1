import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { createDatabase, dropDatabase, urlOf } from '../support/databases.ts';
import { migrations, refusals, type Steps } from '../support/migrations.ts';

const all = await migrations();
const serverUrl = inject('serverUrl');
let name: string;
let url: string;
beforeAll(async () => {
  name = await createDatabase(serverUrl);
  url = urlOf(serverUrl, name);
});
afterAll(() => dropDatabase(serverUrl, name));

describe('The version before continues during and after the migration', () => {
  // In their order, each over what those before have made.
  test.each(all)('$name', async migration => {
    expect(await refusals(url, migration)).toEqual([]);
  });
});

describe('The check of migrations', () => {
  const TABLES = [
    'drop schema public cascade; create schema public',
    'create table shop (id integer primary key, name text, size integer not null default 0)',
    'create table sale (id integer primary key, shop_id integer, note varchar(20), at timestamptz)',
    'alter table sale add constraint sale_note check (note is not null) not valid',
  ];
  beforeEach(async () => {
    await refusals(url, { statements: TABLES });
  });

  const outside = (...statements: string[]): Steps => ({ statements, isTransactional: false });
  const within = (...statements: string[]): Steps => ({ statements });

  const refused: [what: string, steps: Steps, instead: RegExp][] = [
    ['an index', within('create index sale_at on sale (at)'), /^index sale_at .* over sale .*CONCURRENTLY/],
    ['a unique constraint', within('alter table sale add unique (shop_id)'), /^index .* over sale .*USING INDEX/],
    ['another type', within('alter table shop alter size type bigint'), /^shop is written anew .*add a column/],
    [
      'a volatile default',
      within('alter table shop add column at timestamptz default clock_timestamp()'),
      /^shop is written anew .*without a default/,
    ],
    ['set not null', within('alter table shop alter name set not null'), /^shop is read .*NOT VALID/],
    ['a check', within('alter table shop add check (size > 0)'), /^constraint shop_size_check .*NOT VALID/],
    [
      'a column with a check',
      within('alter table shop add column mood text check (mood <> $$bad$$)'),
      /^constraint shop_mood_check .*NOT VALID/,
    ],
    [
      'a foreign key',
      within('alter table sale add foreign key (shop_id) references shop'),
      /^constraint sale_shop_id_fkey .*NOT VALID/,
    ],
    [
      'a check, validated while its lock is held',
      within(
        'alter table shop add constraint large check (size > 0) not valid',
        'alter table shop validate constraint large',
      ),
      /^constraint large .*next migration/,
    ],
    ['changed rows', within('update shop set size = 1'), /^rows of shop .*batches/],
    ['a dropped column', within('alter table shop drop column size'), /uses shop\.size: .*contracts/],
    ['a renamed column', within('alter table shop rename size to area'), /uses shop\.size: .*contracts/],
    ['a dropped table', within('drop table sale'), /uses sale: .*contracts/],
    ['a renamed table', within('alter table sale rename to deal'), /uses sale: .*contracts/],
    [
      'a dropped column that is not the one that is named',
      { ...within('alter table shop drop column size'), contracts: ['shop.name'] },
      /uses shop\.size/,
    ],
    [
      'a column that must be given',
      within('alter table shop add column area integer not null'),
      /does not fill shop\.area: .*default/,
    ],
    [
      'a column that must be given from now on',
      within('alter table shop alter size drop default'),
      /does not fill shop\.size: .*default/,
    ],
    ['an index that is not built concurrently', outside('create index sale_at on sale (at)'), /keeps writes waiting/],
    [
      'a change of a table outside a transaction',
      outside('alter table shop add column if not exists area integer'),
      /keeps writes waiting/,
    ],
    ['a build that can run once', outside('create index concurrently sale_at on sale (at)'), /can't be run again/],
    [
      'a build that takes a broken index for whole',
      outside('create index concurrently if not exists sale_at on sale (at)'),
      /^index sale_at .*drop it first/,
    ],
  ];
  test.each(refused)('rejects %s', async (_, steps, instead) => {
    expect(await refusals(url, steps)).toContainEqual(expect.stringMatching(instead));
  });

  const accepted: [what: string, steps: Steps][] = [
    [
      'a new table with an index',
      within(
        'create table tag (id integer primary key, shop_id integer references shop, label text check (label <> $$$$))',
        'create index tag_shop on tag (shop_id)',
        'insert into tag (id) values (1)',
        'alter table tag alter label type varchar(10), alter shop_id type bigint',
      ),
    ],
    ['a column that may be null', within('alter table shop add column area integer')],
    ['a column with a constant default', within('alter table shop add column area integer not null default 1')],
    ['a wider type of the same form', within('alter table sale alter note type text')],
    ['a check of new rows', within('alter table shop add constraint large check (size > 0) not valid')],
    [
      'a foreign key of new rows',
      within('alter table sale add constraint its foreign key (shop_id) references shop not valid'),
    ],
    [
      'not null, where a check says so already',
      {
        statements: ['alter table sale validate constraint sale_note', 'alter table sale alter note set not null'],
      },
    ],
    ['a validation', within('alter table sale validate constraint sale_note')],
    ['a column that is no longer used', { ...within('alter table shop drop column size'), contracts: ['shop.size'] }],
    [
      'an index that is built concurrently',
      outside('drop index concurrently if exists sale_at', 'create index concurrently sale_at on sale (at)'),
    ],
  ];
  test.each(accepted)('accepts %s', async (_, steps) => {
    expect(await refusals(url, steps)).toEqual([]);
  });
});
