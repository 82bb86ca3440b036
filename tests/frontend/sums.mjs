// What a session comes to, as api/overview tells it.

/** The sums of one turn in which nothing was done, with what is told of it. */
export const sumsOf = (told = {}) => ({
  typed: 1,
  calls: 0,
  errors: 0,
  empty_searches: 0,
  unrun: {},
  commands: 0,
  files: 0,
  shell: 0,
  commits: 0,
  ...told,
});
