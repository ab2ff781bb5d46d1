import { sheetXml, workbook } from './workbook.ts';

/** Small workbooks that take much memory or time of a reader who does not bound what it reads. */

const SHEET = sheetXml([['a']]);
const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
const withPart = (name: string, content: string) => workbook({ A: SHEET }, { parts: { [name]: content } });
const shared = (content: string) => withPart('xl/sharedStrings.xml', `<sst>${content}</sst>`);
const styles = (content: string) => withPart('xl/styles.xml', `<styleSheet>${content}</styleSheet>`);
/** A format, and cells that have it. */
const styled = (code: string, cells: number) =>
  styles(
    `<numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts><cellXfs>${'<xf numFmtId="164"/>'.repeat(cells)}</cellXfs>`,
  );
const MB = 1024 * 1024;
/** Equal parts, and a different one now and then, because a part that is packed to less than a 250th is rejected for its ratio. */
function megabytes(count: number, part: (i: number) => string): string {
  const equal = part(0);
  const block = Math.ceil(800 / equal.length);
  const blocks = Math.floor((count * MB) / (equal.length * (block + 1)));
  return Array.from({ length: blocks }, (_, i) => equal.repeat(block) + part((i * 2_654_435_761) % 65_536)).join('');
}
const hexadecimal = (i: number) => i.toString(16).toUpperCase().padStart(4, '0');

export function largeSharedText(ofMegabytes: number): Uint8Array {
  return shared(`<si><t>${megabytes(ofMegabytes, i => `_x${hexadecimal(i)}_`)}</t></si>`);
}

export interface HostileWorkbook {
  readonly file: () => Uint8Array;
  /** A part of the error; undefined for a workbook that is read. */
  readonly says?: string;
}

export const HOSTILE_WORKBOOKS: Readonly<Record<string, HostileWorkbook>> = {
  'one shared text of 20 MB': {
    file: () => largeSharedText(20),
    says: 'has a text or tag that is too long',
  },
  'one shared text of many short runs': {
    file: () => shared(`<si>${megabytes(20, i => `<r><t>abcd${hexadecimal(i)}</t></r>`)}</si>`),
    says: 'a cell of more than 32767 characters',
  },
  'shared texts of 40 MB together': {
    file: () => shared(megabytes(45, i => `<si><t>${hexadecimal(i).repeat(300)}</t></si>`)),
    says: 'characters in its texts',
  },
  'a cell of many short runs': {
    file: () =>
      workbook({
        A: sheet(`<row><c t="inlineStr"><is>${megabytes(20, i => `<t>abcd${hexadecimal(i)}</t>`)}</is></c></row>`),
      }),
    says: 'a cell of more than 32767 characters',
  },
  'a cell that has no end': {
    file: () => workbook({ A: sheet(`<row><c><v>${megabytes(20, i => `${i}`)}</v></c></row>`) }),
    says: 'has a text or tag that is too long',
  },
  'a tag that has no end': {
    file: () => workbook({ A: sheet(`<row ${Array.from({ length: 200_000 }, (_, i) => `a${i}=""`).join(' ')}/>`) }),
    says: 'has a text or tag that is too long',
  },
  'a comment that has no end': {
    file: () => workbook({ A: sheet(`<!--${' '.repeat(5 * MB)}-->`) }),
    says: 'has a text or tag that is too long',
  },
  'formats of cells without end': {
    file: () => styles(`<cellXfs>${'<xf/>'.repeat(1_000_000)}</cellXfs>`),
    says: 'more than 65536 formats of cells',
  },
  'formats of numbers without end': {
    file: () => styles(Array.from({ length: 70_000 }, (_, i) => `<numFmt numFmtId="${i}" formatCode="d"/>`).join('')),
    says: 'more than 65536 formats of cells',
  },
  'links without end': {
    file: () =>
      withPart(
        'xl/_rels/workbook.xml.rels',
        `<Relationships>${Array.from({ length: 5_000 }, (_, i) => `<Relationship Id="i${i}" Target="x"/>`).join('')}</Relationships>`,
      ),
    says: 'more than 2000 links',
  },
  'a format of 400,000 brackets': {
    file: () => styled('['.repeat(400_000), 1),
  },
  'a format of 400,000 quotes that are not closed': {
    file: () => styled('[&quot;'.repeat(60_000), 1),
  },
  'a long format that each cell has': { file: () => styled('['.repeat(400_000), 60_000) },
};
