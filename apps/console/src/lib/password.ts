/** The server decides (it also refuses common passwords); this only spares a round trip. */
const MIN_LENGTH = 10

export const PASSWORD_HELP = `At least ${MIN_LENGTH} characters. Several unrelated words are good.`

/** Where the password may be that of an account, too. */
export const NEW_PASSWORD_HELP = `A new password needs at least ${MIN_LENGTH} characters. Several unrelated words are good.`

/** What is wrong with a new password, or undefined. */
export function checkNewPassword(password: string): string | undefined {
  if (password === '') return 'Choose a password.'
  if (Array.from(password).length < MIN_LENGTH) return `Use at least ${MIN_LENGTH} characters.`
  return undefined
}
