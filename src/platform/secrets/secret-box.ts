import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '../startup-error.ts';

const VERSION = 1;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES;

/** A box was sealed with a key that is not there. */
export class UnknownKey extends Error {
  constructor() {
    super('A secret was sealed with a key that SECRETS_KEY does not have');
    this.name = 'UnknownKey';
  }
}

interface Key {
  readonly id: Buffer;
  readonly bytes: Buffer;
}

/**
 * Encrypts what is kept in the database and must be read again: AES-256-GCM under `SECRETS_KEY`. A box is version, key
 * id, nonce, ciphertext and tag; it opens only with the context it was sealed for, so that one row's box is worth
 * nothing in another.
 */
export class SecretBox {
  readonly #keys: readonly [Key, ...Key[]];

  private constructor(keys: readonly [Key, ...Key[]]) {
    this.#keys = keys;
  }

  /**
   * @param keys base64 of 32 bytes each, separated by commas: the first seals, all open
   * @throws StartupError
   */
  static of(keys: string): SecretBox {
    const [first, ...others] = keys.split(',').map(text => {
      const bytes = keyBytes(text);
      if (bytes === undefined) {
        throw new StartupError('SECRETS_KEY must be base64 of 32 bytes; several are separated by commas.');
      }
      return { id: createHash('sha256').update(bytes).digest().subarray(0, KEY_ID_BYTES), bytes };
    });
    return new SecretBox([first as Key, ...others]);
  }

  /** The ids of the keys, which say nothing about the keys themselves; the first is that of the key that seals. */
  get keyIds(): readonly [string, ...string[]] {
    const [first, ...others] = this.#keys.map(({ id }) => id.toString('hex'));
    return [first as string, ...others];
  }

  seal(text: string, context: string): Buffer {
    const [{ id, bytes }] = this.#keys;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', bytes, nonce).setAAD(Buffer.from(context));
    return Buffer.concat([
      Buffer.from([VERSION]),
      id,
      nonce,
      cipher.update(text, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
  }

  /** @throws UnknownKey; Error for a box that was changed or sealed for another context */
  open(box: Buffer, context: string): string {
    const id = box.subarray(1, 1 + KEY_ID_BYTES);
    const key = this.#keys.find(candidate => candidate.id.equals(id));
    if (box[0] !== VERSION || !key) throw new UnknownKey();
    const nonce = box.subarray(1 + KEY_ID_BYTES, HEADER_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, nonce)
      .setAAD(Buffer.from(context))
      .setAuthTag(box.subarray(-TAG_BYTES));
    return decipher.update(box.subarray(HEADER_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  }

  /** Whether a box is sealed with the first key, and so needs no sealing again. */
  isCurrent(box: Buffer): boolean {
    return this.#keys[0].id.equals(box.subarray(1, 1 + KEY_ID_BYTES));
  }
}

/** Whether a text is what `SecretBox.of` takes. */
export function areSecretsKeys(text: string): boolean {
  return text.split(',').every(key => keyBytes(key) !== undefined);
}

function keyBytes(text: string): Buffer | undefined {
  const bytes = Buffer.from(text.trim(), 'base64');
  // Node reads what is no base64 as far as it can; written back, it must be the same.
  return bytes.length === KEY_BYTES && bytes.toString('base64') === text.trim() ? bytes : undefined;
}

/** The box of the settings: of `SECRETS_KEY`, or of the keys kept in the data folder. */
export async function openSecretBox(settings: { secretsKey: string | undefined; dataDir: string }): Promise<SecretBox> {
  return SecretBox.of(settings.secretsKey ?? (await keptSecretsKey(settings.dataDir)));
}

/** A new key, as `SECRETS_KEY` takes it. */
export function newSecretsKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/**
 * The keys kept in the data folder, readable by their owner alone; made where there are none. For the embedded database,
 * which lives in the same folder.
 */
export async function keptSecretsKey(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secrets-key');
  await mkdir(dataDir, { recursive: true });
  const made = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(made, `${newSecretsKey()}\n`, { mode: 0o600 });
  // Whole or not at all: of two processes that start at once, one's becomes the file, and both read that.
  await link(made, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(made);
  return (await readFile(file, 'utf8')).trim();
}
