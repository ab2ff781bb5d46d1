import { SaxesParser } from 'saxes';
import { UnreadableTable } from './sent-table.ts';

/**
 * Reads the XML of a workbook as it is unpacked, so that no part is in memory as a whole. Document types are rejected,
 * and with them all entities that expand.
 */

export interface XmlHandler {
  /** @param name without its prefix */
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

const MAX_DEPTH = 64;
/**
 * The most characters of one text or tag, which the parser keeps until its end. The longest cell has 32,767 characters,
 * each written in up to seven. The unread rest of a piece counts too.
 */
const MAX_UNIT = 512 * 1024;

/** @throws UnreadableTable */
export async function readXml(part: string, pieces: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  const broken = (what: string) => new UnreadableTable(`is a workbook whose part ${part} ${what}`);
  const parser = new SaxesParser();
  let depth = 0;
  /** Characters since the last text or tag has ended. */
  let unended = 0;
  parser.on('error', () => {
    throw broken('is not well-formed XML');
  });
  parser.on('doctype', () => {
    throw broken('has a document type');
  });
  parser.on('opentag', ({ name, attributes }) => {
    unended = 0;
    if (++depth > MAX_DEPTH) throw broken('nests its elements too deeply');
    handler.open?.(withoutPrefix(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    unended = 0;
    depth--;
    handler.close?.(withoutPrefix(name));
  });
  if (handler.text) {
    parser.on('text', handler.text);
    parser.on('cdata', handler.text);
  }
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decoded = (bytes?: Buffer) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw broken('is not UTF-8');
    }
  };
  let isEmpty = true;
  for await (const bytes of pieces) {
    isEmpty = false;
    const text = decoded(bytes);
    unended += text.length;
    if (unended > MAX_UNIT) throw broken('has a text or tag that is too long');
    parser.write(text);
  }
  if (!isEmpty) parser.write(decoded()).close();
}

function withoutPrefix(name: string): string {
  const at = name.indexOf(':');
  return at < 0 ? name : name.slice(at + 1);
}
