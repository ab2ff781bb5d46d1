import { strToU8, zipSync } from 'fflate';

/** Makes small `.xlsx` workbooks, right and wrong ones, from the parts that a reader looks at. */

export type SheetCell = string | number | boolean | null | { readonly xml: string };

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Formats by their number in `s="…"`: plain, date, date and time, percentage, dd/mm/yyyy, euro. */
const STYLES = `<styleSheet xmlns="${MAIN}"><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/><numFmt numFmtId="165" formatCode="&quot;day&quot; #,##0.00\\ [$€-410]"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${[0, 14, 22, 10, 164, 165].map(id => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`;

const escaped = (text: string) => text.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);

function cellXml(cell: SheetCell, reference: string): string {
  if (cell === null) return '';
  if (typeof cell === 'object') return cell.xml.replace('<c', `<c r="${reference}"`);
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  return `<c r="${reference}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
}

const letter = (index: number): string =>
  index < 26 ? String.fromCharCode(65 + index) : letter(Math.floor(index / 26) - 1) + letter(index % 26);

export function sheetXml(rows: readonly (readonly SheetCell[])[]): string {
  const lines = rows.map(
    (cells, i) => `<row r="${i + 1}">${cells.map((cell, at) => cellXml(cell, `${letter(at)}${i + 1}`)).join('')}</row>`,
  );
  return `<worksheet xmlns="${MAIN}"><sheetData>${lines.join('')}</sheetData></worksheet>`;
}

interface Extra {
  /** Further parts by name; null takes one away. */
  readonly parts?: Readonly<Record<string, string | Uint8Array | null>>;
  readonly hidden?: readonly string[];
  readonly is1904?: boolean;
}

/** A workbook of sheets by their names, each as rows of cells or as its XML. */
export function workbook(
  sheets: Readonly<Record<string, readonly (readonly SheetCell[])[] | string>>,
  { parts = {}, hidden = [], is1904 = false }: Extra = {},
): Uint8Array {
  const names = Object.keys(sheets);
  const all: Record<string, string | Uint8Array | null> = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${is1904 ? '<workbookPr date1904="1"/>' : ''}<sheets>${names
      .map(
        (name, i) =>
          `<sheet name="${escaped(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"${hidden.includes(name) ? ' state="hidden"' : ''}/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names
      .map(
        (_, i) =>
          `<Relationship Id="rId${i + 1}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
      )
      .join('')}</Relationships>`,
    'xl/styles.xml': STYLES,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        typeof rows === 'string' ? rows : sheetXml(rows),
      ]),
    ),
    ...parts,
  };
  const files = Object.entries(all).flatMap(([name, content]) =>
    content === null ? [] : [[name, typeof content === 'string' ? strToU8(content) : content] as const],
  );
  return zipSync(Object.fromEntries(files), { level: 1 });
}
