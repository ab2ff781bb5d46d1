import { builder } from '../../../../graphql/builder.ts';
import { TARIFF_DOCUMENT } from '../../../../graphql/costs.ts';
import { enumType } from '../../../../graphql/enum-type.ts';
import { connectionOf, LIST_ARGS, listCost, listPage } from '../../../../graphql/lists.ts';
import { integerKey, numberSought } from '../../../../graphql/node-id.ts';
import { lookUp, query } from '../../../../graphql/query.ts';
import { pointer } from '../../../../platform/fault.ts';
import { type PlaceWarning, placeWarnings } from '../check/place-warnings.rules.ts';
import { LANGUAGE_ARG } from '../language.graphql.ts';
import { TariffRevisionRef } from './revisions.graphql.ts';
import type { CHANGED_ASPECTS, CHANGED_PARTS } from './tariff-change-text.rules.ts';
import type { TariffChange } from './tariff-changes.rules.ts';
import { diffOfRevisions, type TariffDiff } from './tariff-diff.service.ts';

const TariffPart = enumType<(typeof CHANGED_PARTS)[number]>('TariffPart', 'A part of a tariff.', {
  tariff: 'The fields of the whole tariff, such as its name.',
  version: 'A version: its days and its name.',
  service: 'A service, such as express.',
  zone: 'A zone, with its places and prices by weight.',
  surcharge: 'A surcharge.',
  fuel: 'Fuel.',
  option: 'An option.',
  cod: 'Cash on delivery.',
  insurance: 'Insurance.',
  after_shipment: 'The charges after the shipment.',
  vat: 'VAT.',
  weight: 'How the chargeable weight is found.',
  limits: 'The limits on what the carrier takes.',
  pallet_classes: 'Types of pallets by weight, height and sides.',
  origins: 'Where shipments leave from.',
  account: 'The charges for the account, outside of the prices of shipments.',
});

const TariffAspect = enumType<(typeof CHANGED_ASPECTS)[number]>('TariffAspect', 'The kind of a change of a tariff.', {
  whole: 'The part is added or removed.',
  price: 'A price, a percentage, or its basis.',
  condition: 'When it is charged.',
  dates: 'The days on which it counts.',
  places: 'Where it counts.',
  other: 'Anything else, such as a name or the days to delivery.',
});

interface ListedChange extends TariffChange {
  readonly index: number;
}

const TariffChangeRef = builder.objectRef<ListedChange>('TariffChange').implement({
  description: 'A place where two tariffs differ.',
  fields: t => ({
    ...t.columns('String', { text: 'The change in words.', path: 'The place in the document, by codes and limits.' }),
    part: t.expose('part', { type: TariffPart, description: 'The part of the tariff.' }),
    aspect: t.expose('aspect', { type: TariffAspect, description: 'The field that changes.' }),
    versionDate: t.expose('version', {
      type: 'Date',
      nullable: true,
      description: 'First day of the version. Null for a change of the whole tariff.',
    }),
    comparedWithDate: t.expose('comparedWith', {
      type: 'Date',
      nullable: true,
      description:
        'For a version that is new: the first day of the version that would be in force otherwise, with which it is compared.',
    }),
    zone: t.exposeString('zone', { nullable: true, description: 'Code of the zone.' }),
    ...t.nullableColumns('Decimal', { upToKg: 'Limit of the weight band, in kilograms.' }),
    line: t.exposeString('line', { nullable: true, description: 'Code of the line, or of the service.' }),
    ...t.nullableColumns('String', { name: 'Name of the zone or the service, or description of the line.' }),
    before: t.nullable(
      'JSON',
      'The old value. Null if it was added. For a list of texts, the removed texts.',
      ({ before }) => before,
    ),
    after: t.nullable(
      'JSON',
      'The new value. Null if it was removed. For a list of texts, the added texts.',
      ({ after }) => after,
    ),
  }),
});

const WarningCode = enumType('TariffWarningCode', 'What a place of a tariff may miss.', {
  short_beginning: 'A beginning of postal codes has one digit, and may have lost a zero in a spreadsheet.',
  divided_province: 'Addresses can state another province, from which it was divided, and which is not named.',
  hamlets: 'Addresses can state hamlets in the place of the comune, which are not named.',
});

const TariffWarningRef = builder.objectRef<PlaceWarning>('TariffWarning').implement({
  description: 'A place that is accepted, and that may hold less or something else than is meant.',
  fields: t => ({
    code: t.expose('code', { type: WarningCode, description: 'What it is about.' }),
    pointer: t.string({ description: 'RFC 6901 pointer into the tariff.', resolve: ({ path }) => pointer(path) }),
    message: t.string({
      description: 'The warning in words.',
      args: LANGUAGE_ARG,
      resolve: ({ message }, { language }) => message[language],
    }),
  }),
});

const ChangeConnection = connectionOf(TariffChangeRef);

export const TariffDiffRef = builder.objectRef<TariffDiff>('TariffDiff').implement({
  description: 'The differences between two tariffs.',
  fields: t => ({
    from: t.nullable(
      TariffRevisionRef,
      'The tariff that is replaced. Null if the connection had none.',
      ({ from }) => from,
    ),
    to: t.nullable(TariffRevisionRef, 'The tariff that replaces it. Null if it was only checked.', ({ to }) => to),
    warnings: t.field({
      type: [TariffWarningRef],
      description: 'Places of the tariff that replaces it to look at, at most 100.',
      resolve: async diff => placeWarnings((await diff.documents()).after).slice(0, 100),
    }),
    changes: t.field({
      type: ChangeConnection,
      description: 'Every difference, by version and part. None if nothing is replaced.',
      args: {
        ...LIST_ARGS,
        parts: t.arg({ type: [TariffPart], description: 'Only changes of these parts.' }),
        aspects: t.arg({ type: [TariffAspect], description: 'Only changes of these kinds.' }),
        zone: t.arg.string({ description: 'Only changes of the zone with this code.' }),
      },
      complexity: listCost,
      resolve: (diff, { parts, aspects, zone, ...args }) => {
        const found = async () =>
          (await diff.changes())
            .map((change, index) => ({ ...change, index: index + 1 }))
            .filter(
              change =>
                (!parts || parts.includes(change.part)) &&
                (!aspects || aspects.includes(change.aspect)) &&
                (zone == null || change.zone === zone),
            );
        const rows = { keyOf: ({ index }: ListedChange) => index, count: async () => (await found()).length };
        return listPage(args, integerKey, rows, async ({ after, limit }) =>
          (await found()).filter(({ index }) => after === null || index > after).slice(0, limit),
        );
      },
    }),
  }),
});

query('tariffDiff', {
  type: TariffDiffRef,
  nullable: true,
  description:
    'The differences between two revisions or drafts of a tariff. Null if the company does not have one of them.',
  authScopes: { scope: 'carriers:manage' },
  args: builder.args(t => ({
    from: t.id({
      description: 'The revision or draft to compare with. By default the revision in force on the same connection.',
    }),
    to: t.id({ required: true, description: 'The revision or draft.' }),
  })),
  complexity: TARIFF_DOCUMENT * 2,
  resolve: (_root, { from, to }, context) =>
    lookUp(context, () =>
      diffOfRevisions(
        context.tenant,
        from == null ? undefined : numberSought('TariffRevision', from),
        numberSought('TariffRevision', to),
      ),
    ),
});
