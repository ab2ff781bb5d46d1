/** Shorter texts are matched as whole words only, because they occur within most texts. */
const SHORT = 5;

/** Texts that must not be in the record of a call, whole or encoded. */
export class UnkeptTexts {
  readonly #parts: readonly string[];
  readonly #words: ReadonlySet<string>;

  constructor(texts: Iterable<string>) {
    const all = [...new Set(texts)].filter(text => text !== '');
    this.#words = new Set(all.filter(isShortWord).map(text => text.toLowerCase()));
    this.#parts = all.filter(text => !isShortWord(text)).flatMap(text => formsOf(text).map(form => form.toLowerCase()));
  }

  areIn(text: string): boolean {
    const sought = text.toLowerCase();
    if (this.#parts.some(part => sought.includes(part))) return true;
    return this.#words.size > 0 && sought.split(NO_WORD).some(word => this.#words.has(word));
  }
}

const NO_WORD = /[^\p{L}\p{N}]+/u;

function isShortWord(text: string): boolean {
  return text.length < SHORT && !NO_WORD.test(text);
}

/** The forms in which carriers might return a text. */
function formsOf(text: string): string[] {
  const form = new URLSearchParams({ text }).toString().slice('text='.length);
  const json = JSON.stringify(text).slice(1, -1);
  const xml = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [...new Set([text, encodeURIComponent(text.toWellFormed()), form, json, xml, ...base64Forms(text)])];
}

/** The base64 of this text within a longer one, for each of its three alignments. */
function base64Forms(text: string): string[] {
  const bytes = Buffer.from(text);
  return [0, 1, 2].flatMap(before => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const inner = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    const url = inner.replaceAll('+', '-').replaceAll('/', '_');
    return inner === '' ? [] : [inner, url];
  });
}
