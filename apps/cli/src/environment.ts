/** Tokens, passwords and addresses of ours, whatever they are called; Windows knows no upper and lower case in names. */
const OURS = /^(?:FIRSTHAND|SENTRY)_/i

/** What a program learns that does what pages said which nobody of us wrote. */
export const environmentOf = (own: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(own).filter(([name]) => !OURS.test(name)))
