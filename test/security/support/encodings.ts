/** A text in every form in which it could be written down: whole, and so that a longer text around it does not matter. */
export function encodingsOf(text: string): ReadonlyMap<string, string> {
  const bytes = Buffer.from(text);
  const escaped = (form: (code: number) => string) => Array.from(text, char => form(char.codePointAt(0) ?? 0)).join('');
  const hex = (code: number, length: number) => code.toString(16).padStart(length, '0');
  return new Map([
    ['as it is', text],
    ['in JSON', JSON.stringify(text).slice(1, -1)],
    ['in JSON twice', JSON.stringify(JSON.stringify(text)).slice(3, -3)],
    ['in escapes of JSON', escaped(code => `\\u${hex(code, 4)}`)],
    ['in a URL', encodeURIComponent(text)],
    ['in a form', new URLSearchParams([['', text]]).toString().slice(1)],
    ['in percents', [...bytes].map(byte => `%${hex(byte, 2)}`).join('')],
    ['in HTML', escaped(code => `&#${code};`)],
    ['in hexadecimal', bytes.toString('hex')],
    ['in UTF-16, in hexadecimal', Buffer.from(text, 'utf16le').toString('hex')],
    ['as bytes in JSON', [...bytes].join(',')],
    ['reversed', [...text].reverse().join('')],
    ...[0, 1, 2].flatMap(
      shift =>
        [
          [`in base64, ${shift} after a group`, base64Within(bytes, shift)],
          [
            `in base64url, ${shift} after a group`,
            base64Within(bytes, shift).replaceAll('+', '-').replaceAll('/', '_'),
          ],
        ] as const,
    ),
  ]);
}

/**
 * The part of the base64 of bytes that does not depend on the bytes around them, where so many are in a group with
 * others before.
 */
function base64Within(bytes: Buffer, shift: number): string {
  const before = Buffer.alloc((3 - shift) % 3);
  const encoded = Buffer.concat([before, bytes]).toString('base64').replaceAll('=', '');
  const first = before.length === 0 ? 0 : 4;
  const whole = Math.floor((before.length + bytes.length) / 3) * 4;
  return encoded.slice(first, whole);
}

/** In which forms texts are within another, in either case of letters. */
export class Finder {
  readonly #forms: readonly { readonly name: string; readonly form: string; readonly text: string }[];

  constructor(canaries: Readonly<Record<string, string>>) {
    this.#forms = Object.entries(canaries).flatMap(([name, value]) =>
      [...encodingsOf(value)].map(([form, text]) => ({ name: `${name} ${form}`, form, text: text.toLowerCase() })),
    );
  }

  get forms(): number {
    return this.#forms.length;
  }

  /** The names of the secrets in a text, with the place. */
  in(text: string): string[] {
    const haystack = text.toLowerCase();
    return this.#forms.flatMap(({ name, text: needle }) => {
      const at = haystack.indexOf(needle);
      return at < 0 ? [] : [`${name}: …${text.slice(Math.max(0, at - 80), at)}`];
    });
  }
}
