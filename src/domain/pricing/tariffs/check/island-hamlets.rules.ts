import { comuneName } from '../../../common/places/comuni.rules.ts';

/**
 * Comuni of the smaller islands with places that stand in addresses as the city, often with CAPs of their own. Sources,
 * read on 2026-11-28: the list of smaller islands of the Conferenza unificata of 2020-07-27 and general
 * knowledge of their hamlets, which no register was read for. The service has no register of hamlets: other comuni have them too.
 */
const HAMLETS: Readonly<Record<string, readonly string[]>> = {
  Lipari: ['Canneto', 'Stromboli', 'Vulcano', 'Panarea', 'Filicudi', 'Alicudi'],
  Malfa: ['Pollara'],
  Leni: ['Rinella'],
  'Santa Marina Salina': ['Lingua'],
  Favignana: ['Levanzo', 'Marettimo'],
  'Lampedusa e Linosa': ['Lampedusa', 'Linosa'],
  Ponza: ['Le Forna'],
  "Barano d'Ischia": ['Testaccio'],
  'Serrara Fontana': ["Sant'Angelo"],
  "Campo nell'Elba": ['Marina di Campo', 'Pianosa'],
  Marciana: ['Procchio', 'Pomonte'],
  Rio: ['Rio Marina', "Rio nell'Elba", 'Cavo'],
  'Isola del Giglio': ['Giglio Porto', 'Giglio Campese', 'Giannutri'],
  'La Maddalena': ['Caprera'],
  'Porto Torres': ['Asinara'],
  'Isole Tremiti': ['San Domino', 'San Nicola'],
  'Porto Venere': ['Palmaria'],
  'Monte Isola': ['Siviano', 'Peschiera Maraglio'],
  Venezia: ['Lido', 'Pellestrina', 'Murano', 'Burano'],
};

const byComune = new Map(Object.entries(HAMLETS).map(([comune, hamlets]) => [comuneName(comune), hamlets]));

/** @param comune in its comparable form */
export function hamletsOf(comune: string): readonly string[] {
  return byComune.get(comune) ?? [];
}
