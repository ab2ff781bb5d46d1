import { type Options, SingleBar } from 'cli-progress';

/** Without a terminal, a line from time to time is enough. */
const LINE_EVERY_MS = 30_000;
/** Narrow enough for the rest of the line on 80 columns. */
const BAR_SIZE = 20;

/**
 * The progress of a long command: its share, its rate and the remaining time. On a terminal it is one line that
 * changes, otherwise a line from time to time. Standard output has only the result, so it goes to standard error.
 */
export class Progress {
  readonly #what: string;
  readonly #startedAtMs = Date.now();
  readonly #bar: SingleBar | undefined;
  #lastLineAtMs = Date.now();

  /** @param what the counted things, such as `rows` */
  constructor(what: string, { hasShare = true } = {}) {
    this.#what = what;
    if (!process.stderr.isTTY) return;
    const format = hasShare ? '{bar} {text}' : '{text}';
    // Ends its line at Ctrl-C, so that the next message has its own line.
    const options: Options = { format, barsize: BAR_SIZE, gracefulExit: true, stream: process.stderr };
    this.#bar = new SingleBar(options);
    this.#bar.start(1, 0, { text: `0 ${what}` });
  }

  /** @param share from 0 to 1; undefined if the total is unknown */
  update(count: number, share?: number, more = ''): void {
    const nowMs = Date.now();
    const elapsed = (nowMs - this.#startedAtMs) / 1_000;
    const rate = elapsed > 0 ? [`${Math.round(count / elapsed)}/s`] : [];
    const left =
      share !== undefined && share > 0 && share < 1 ? [`${timeOf((elapsed * (1 - share)) / share)} left`] : [];
    const percent = share === undefined ? [] : [`${Math.floor(share * 100)} %`];
    const text = [...percent, `${count} ${this.#what}`, ...rate, ...left, ...(more ? [more] : [])].join(', ');
    this.#bar?.update(share ?? 0, { text });
    if (this.#bar || nowMs - this.#lastLineAtMs < LINE_EVERY_MS) return;
    process.stderr.write(`${text}\n`);
    this.#lastLineAtMs = nowMs;
  }

  end(): void {
    this.#bar?.stop();
  }
}

/** `1 h 5 min`, `2 min 10 s` or `7 s`. */
function timeOf(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole >= 3_600) return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
  return whole >= 60 ? `${Math.floor(whole / 60)} min ${whole % 60} s` : `${whole} s`;
}
