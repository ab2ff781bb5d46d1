/**
 * Provinces that were taken out of others since Italy has CAPs (1967), and comuni that changed province, so that a CAP is
 * read with every province that it had or has. Sources, read on 2026-11-28: ISTAT, "Variazioni territoriali e
 * amministrative dal 1861"; Poste Italiane's lists of CAPs before and after the changes of 1997 and 2009.
 */

interface SplitProvince {
  readonly province: string;
  /** The provinces that its comuni belonged to. */
  readonly from: readonly string[];
  /** Where the CAPs of its comuni began before the split; some comuni kept them. */
  readonly formerCaps: readonly string[];
}

/** The split provinces, by year. Sardinia's changes are in `caps.rules.ts`, by CAP. */
const SPLITS = `
  # 1968 and 1970; their comuni have kept their CAPs.
  PN UD 330
  IS CB 860
  # 1974.
  OR CA,NU 080,090
  # 1992.
  BI VC 130
  KR CZ 880
  LC CO,BG 220,240
  LO MI 200
  PO FI 500
  # And in 2009 seven comuni of Pesaro e Urbino.
  RN FC 470
  VB NO 280
  VV CZ 880
  # 2004; in operation since 2009.
  MB MI 200
  FM AP 630
  BT BA,FG 700,710
`;

/** The CAPs of comuni that changed province, with a province that they had or have. */
const MOVED = `
  # Casteldelci, Maiolo, Novafeltria, Pennabilli, San Leo, Sant'Agata Feltria and Talamello, to Rimini in August 2009;
  # Montecopiolo and Sassofeltrio in June 2021.
  RN 61010 61013 61014 61015 61016 61018 61019
  PU 47861 47862 47863 47864 47865 47866 47867 47868 47869
  # Sappada, to Udine in December 2017.
  BL 33012
  # Torre de' Busi, to Bergamo in 2018.
  LC 24032
`;

const rows = (text: string) =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => line.split(' '));

const splits: readonly SplitProvince[] = rows(SPLITS).map(([province = '', from = '', caps = '']) => ({
  province,
  from: from.split(','),
  formerCaps: caps.split(','),
}));
const moved = new Map(rows(MOVED).map(([province = '', ...caps]) => [province, new Set(caps)]));

/** The provinces that a province was taken out of; none for an old one. */
export const SPLIT_FROM: ReadonlyMap<string, readonly string[]> = new Map(
  splits.map(({ province, from }) => [province, from]),
);

/**
 * Whether a CAP had the province, or has it now, though the table of today's CAPs does not say so.
 *
 * @param present the provinces that it may belong to today
 */
export function hadProvince(cap: string, province: string, present: readonly string[]): boolean {
  return (
    moved.get(province)?.has(cap) === true ||
    splits.some(
      split =>
        (split.province === province &&
          split.formerCaps.some(beginning => cap.startsWith(beginning)) &&
          split.from.some(one => present.includes(one))) ||
        (split.from.includes(province) && present.includes(split.province)),
    )
  );
}
