const NAMES = ['LD_PRELOAD', 'FAKETIME', 'FAKETIME_DONT_FAKE_MONOTONIC', 'DONT_FAKE_MONOTONIC'];

/** Variables for programs that a test starts: where libfaketime sets the clock of the test, theirs must show the same time. */
export const OWN_CLOCK: Readonly<Record<string, string>> = Object.fromEntries(
  NAMES.flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
);
