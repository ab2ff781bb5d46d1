/** Words of a line as a POSIX shell reads them, where it has no other quotes than single ones. */
function shellWords(line: string): string[] {
  if (/["\\$`;&|<>*?#~]/.test(line.replace(/'[^']*'/g, ''))) throw new Error(`not plain words: ${line}`);
  if (line.split("'").length % 2 === 0) throw new Error(`an open quote: ${line}`);
  return Array.from(line.matchAll(/(?:'[^']*'|[^'\s])+/g), ([word]) => word.replaceAll("'", ''));
}

/** Does what a printed curl line does. Knows `-s`, `-H` and `-d`; anything else is refused. */
export async function curl(line: string): Promise<Response> {
  const [program, ...words] = shellWords(line);
  if (program !== 'curl') throw new Error(`not a curl line: ${line}`);
  const headers = new Headers();
  let url = '';
  let body: string | undefined;
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-s') continue;
    if (word === '-d') body = words.shift() ?? '';
    else if (word === '-H') {
      const [name = '', value = ''] = (words.shift() ?? '').split(/:\s*(.*)/);
      headers.set(name, value);
    } else if (word.startsWith('-') || url) throw new Error(`unexpected ${word} in ${line}`);
    else url = word;
  }
  if (body !== undefined && !headers.has('content-type'))
    headers.set('content-type', 'application/x-www-form-urlencoded');
  return fetch(url, { method: body === undefined ? 'GET' : 'POST', headers, body });
}
