import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDataFolder } from '../data-folder.ts';
import { StartupError } from '../startup-error.ts';

const VERSION = 1;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES;

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
 * Encrypts secrets that are stored in the database and must be read again: AES-256-GCM under `SECRETS_KEY`. A box is
 * version, key id, nonce, ciphertext and tag. It opens only with the context that it was sealed for, so the box of one
 * row is useless in another.
 */
export class SecretBox {
  readonly #keys: readonly [Key, ...Key[]];

  private constructor(keys: readonly [Key, ...Key[]]) {
    this.#keys = keys;
  }

  /**
   * @param keys base64 of 32 bytes each, separated by commas: the first key seals, all keys open
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

  /** The ids of the keys, which reveal nothing about the keys. The first id belongs to the key that seals. */
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

  /** @throws UnknownKey, or Error for a box that was changed or sealed for another context */
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

  /** Whether a box is sealed with the first key, and so need not be sealed again. */
  isCurrent(box: Buffer): boolean {
    return this.#keys[0].id.equals(box.subarray(1, 1 + KEY_ID_BYTES));
  }
}

/** Whether `SecretBox.of` accepts a text. */
export function areSecretsKeys(text: string): boolean {
  return text.split(',').every(key => keyBytes(key) !== undefined);
}

function keyBytes(text: string): Buffer | undefined {
  const bytes = Buffer.from(text.trim(), 'base64');
  // Node decodes invalid base64 as far as it can; encoding the bytes again shows whether the text was valid.
  return bytes.length === KEY_BYTES && bytes.toString('base64') === text.trim() ? bytes : undefined;
}

/** Opens the box with the keys of `SECRETS_KEY`, or with the keys in the data folder. */
export async function openSecretBox(settings: { secretsKey: string | undefined; dataDir: string }): Promise<SecretBox> {
  return SecretBox.of(settings.secretsKey ?? (await keptSecretsKey(settings.dataDir)));
}

/** A new key, as `SECRETS_KEY` takes it. */
export function newSecretsKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/**
 * Returns the keys in the data folder, readable by their owner alone, and creates them if there are none. They serve
 * the embedded database, which lives in the same folder.
 */
export async function keptSecretsKey(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secrets-key');
  await openDataFolder(dataDir);
  const made = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(made, `${newSecretsKey()}\n`, { mode: 0o600 });
  // Linked atomically: of two processes that start at once, the key of one becomes the file, and both read it.
  await link(made, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(made);
  return (await readFile(file, 'utf8')).trim();
}
