import type { NormalisedEvent } from '../event/event.ts'

/** What the event says in words: its message, else the value of the exception that was caught. */
export const eventMessage = (event: NormalisedEvent): string =>
  event.logentry?.formatted ?? event.logentry?.message ?? event.exception?.values.at(-1)?.value ?? ''
