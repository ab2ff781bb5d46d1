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

/** @throws UnreadableTable */
export async function readXml(part: string, pieces: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  const broken = (what: string) => new UnreadableTable(`is a workbook whose part ${part} ${what}`);
  const parser = new SaxesParser();
  let depth = 0;
  parser.on('error', () => {
    throw broken('is not well-formed XML');
  });
  parser.on('doctype', () => {
    throw broken('has a document type');
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > MAX_DEPTH) throw broken('nests its elements too deeply');
    handler.open?.(withoutPrefix(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
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
    parser.write(decoded(bytes));
  }
  if (!isEmpty) parser.write(decoded()).close();
}

function withoutPrefix(name: string): string {
  const at = name.indexOf(':');
  return at < 0 ? name : name.slice(at + 1);
}
