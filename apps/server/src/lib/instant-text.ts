const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** For programs: ISO, UTC. @param at milliseconds since the epoch */
export const toDate = (at: number): string => new Date(at).toISOString()

/** For people: `22 Nov 2026, 02:33 UTC`. @param at milliseconds since the epoch */
export const instantText = (at: number): string => `${FORMAT.format(at)} UTC`
