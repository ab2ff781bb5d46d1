// The words of the page of imports, in the language of the page, which brings them along.

const { words, fields, messages, parts } = JSON.parse(document.querySelector('.import-form').dataset.words);
const PATTERNS = messages.map(([pattern, text]) => [new RegExp(`^${pattern}$`, 's'), text]);

export const LANGUAGE = document.documentElement.lang.toUpperCase();

/** A text of the page, with values in the place of `{0}`, `{1}` … */
export function say(name, ...values) {
  return words[name].replace(/\{(\d)\}/g, (_, at) => values[at]);
}

/** The text for a value of the service, or else the value. */
export const wordFor = (kind, value) => words[`${kind}.${value}`] ?? value;

/** The name of a field that a column can be read as. */
export function fieldName({ name, label }) {
  if (fields[name]) return fields[name];
  const [, kinds] = /^charges\.(.+)$/.exec(name) ?? [];
  return kinds
    ? say(
        'amountFor',
        kinds
          .split('+')
          .map(kind => wordFor('charge', kind))
          .join(', '),
      )
    : label;
}

/** A message of the service in the words of the page. One that the page does not know stays as it is. */
export function inWords(message) {
  const [pattern, text] = PATTERNS.find(([known]) => known.test(message)) ?? [];
  const said = pattern ? message.replace(pattern, text) : message;
  return said.replace(/\b\w+\.\w+\b/g, name => fields[name] ?? name);
}

/** A text of the service that is made of its words and of names. */
export function inParts(text) {
  return parts.reduce((said, [word, own]) => said.replaceAll(new RegExp(`\\b${word}\\b`, 'g'), own), text);
}
