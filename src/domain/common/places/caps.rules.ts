// Facts that the prefix of a CAP does not tell: Poste Italiane's CAPs and ISTAT's provinces, row by row.

/** A comune with all of its present and former CAPs. */
interface KnownComune {
  readonly province: string;
  readonly name: string;
  readonly caps: readonly string[];
}

/**
 * Comuni that share a CAP with another province, that changed province, or whose CAP has the prefix of no province; and
 * those outside the territory of VAT, because a place of that name elsewhere must not be free of it. The present CAP
 * stands first. 08020 and similar ones are in the table of Sardinia.
 */
export const KNOWN_COMUNI = knownComuni(`
  CN Bagnasco 12071
  SV Massimino 12071
  CN Briga Alta 18025
  IM Mendatica 18025
  IM Montegrosso Pian Latte 18025
  UD Rivignano Teor 33061 33050
  # Of Lecco until 2018.
  BG Torre de' Busi 24032 23806
  # Of Belluno, in Veneto, until December 2017.
  UD Sappada 33012 32047
  # Of Pesaro e Urbino, in Marche, until June 2021; Mercatino Conca stayed there.
  RN Montecopiolo 47868 61014
  RN Sassofeltrio 47869 61013
  PU Mercatino Conca 61013
  # Outside the territory of VAT. The old CAPs are shared with places that pay it.
  SO Livigno 23041 23030
  SO Trepalle 23041 23030
  CO Campione d'Italia 22061 22060
`);

/**
 * Prefixes of Sardinia's CAPs, and every province to which their comuni have belonged: those before 2016 (OT, OG, CI,
 * VS), of 2016 to 2025 (SU; OT and OG belonged to SS and NU) and the present ones, with most of SU in Cagliari. The
 * longest prefix counts.
 */
export const SARDINIA = capTable(`
  0701 SS
  0702 OT SS
  0703 OT SS
  0704 SS
  0705 OT SS
  071 SS
  0801 NU OR
  0802 NU
  08020 NU OT SS
  0803 CA NU OG OR SU
  0804 CA NU OG SU
  081 NU
  0901 CA CI SU
  0902 CA SU VS
  0903 CA SU VS
  0904 CA SU VS
  0905 CA OR SU
  0906 CA NU OG SU
  0907 OR
  0908 OR
  0909 OR
  0910 CA
  0912 CA
  0913 CA
  0917 OR
  # One comune each, around Cagliari, and of its province ever since.
  09012 CA
  09018 CA
  09028 CA
  09032 CA
  09033 CA
  09042 CA
  09044 CA
  09045 CA
  09047 CA
  09048 CA
  09067 CA
  09068 CA
  09069 CA
`);

function rows(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'));
}

function knownComuni(text: string): readonly KnownComune[] {
  return rows(text).map(row => {
    const [, province = '', name = '', caps = ''] = /^(\S+) (\D*[^\d ]) (\d[\d ]*)$/.exec(row) ?? [];
    return { province, name, caps: caps.split(' ') };
  });
}

function capTable(text: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    rows(text).map(row => {
      const [beginning = '', ...provinces] = row.split(' ');
      return [beginning, provinces];
    }),
  );
}
