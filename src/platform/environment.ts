/** The kind of a company: live, or the sandbox of a live company, whose carriers are stand-ins. */
export type Environment = 'live' | 'sandbox';
