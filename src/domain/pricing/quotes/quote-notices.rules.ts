import type { QuotedConnection } from '../tariffs/price.rules.ts';
import type { Notice } from './price/shipment.rules.ts';

/** Notices about the connections of a quote. */

export function unknownIds(
  wanted: ReadonlySet<number> | undefined,
  connections: readonly QuotedConnection[],
): Notice[] {
  if (wanted === undefined) return [];
  const known = new Set(connections.map(({ id }) => id));
  return [...wanted]
    .filter(id => !known.has(id))
    .map(id => ({
      code: 'carrier_connection_not_found',
      path: ['carrierConnectionIds'],
      message: {
        it: `${id} non è una connessione attiva dell'azienda.`,
        en: `${id} is not an active carrier connection of the company.`,
      },
    }));
}

/**
 * Notices of missing lists and indexes. Only drafts and earlier revisions can name one: a list that a tariff in force
 * names cannot be deleted.
 */
export function missingNotices({ id, carrierName, revisionId, tariff }: QuotedConnection): Notice[] {
  return (tariff?.missing ?? []).map(({ kind, name }) => {
    const isList = kind === 'list';
    const [what, vale] = isList ? ['la lista', 'vale come vuota'] : ["l'indice", 'le sue percentuali valgono 0'];
    const counts = isList ? 'it counts as empty' : 'its percentages count as 0';
    const message = {
      it: `Il listino ${revisionId} della connessione ${id} indica ${what} "${name}", che ${carrierName} non ha: ${vale}.`,
      en: `Tariff ${revisionId} of connection ${id} names the ${kind} "${name}", which ${carrierName} does not have: ${counts}.`,
    };
    return { code: `unknown_${kind}`, path: [], message };
  });
}
