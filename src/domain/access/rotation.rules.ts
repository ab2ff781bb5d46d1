// How long a rotated key still works, so that its callers can change over. A module of its own: the command line shows it
// in its help, and loads nothing else for that.
export const DEFAULT_OVERLAP_HOURS = 24;
export const MAX_OVERLAP_HOURS = 30 * 24;
