import { constants, setPriority } from 'node:os';

/**
 * Carries out an attack at low priority, because a real attacker has a computer of its own.
 *
 * Only an administrator gets the priority back. For anybody else it stays low, and a service that is started later has
 * it as well: its times are then measured on a machine that it shares with the attacker.
 */
export async function atLowPriority<Result>(attack: () => Promise<Result>): Promise<Result> {
  setPriority(constants.priority.PRIORITY_LOW);
  try {
    return await attack();
  } finally {
    try {
      setPriority(constants.priority.PRIORITY_NORMAL);
    } catch {
      // It stays low, as said above.
    }
  }
}
