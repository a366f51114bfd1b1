/** A part of a rule of Sentry's that has no counterpart here; the message says what to do. */
export class Untranslatable extends Error {
  override readonly name = 'Untranslatable'
}
