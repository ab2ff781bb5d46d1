/**
 * Where a carrier connection leads: to the carrier itself, or to a stand-in of it. A key of the sandbox sees what belongs to
 * connections of the sandbox; a live key sees both.
 */
export type Environment = 'live' | 'sandbox';
