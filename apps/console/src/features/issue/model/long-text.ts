/** Lines and characters that a message has room for before it is cut. */
const MOST_LINES = 6
const MOST_CHARACTERS = 600
/** A message of one line and so many characters is whole in the heading of the page, also on a phone. */
const HEADING_CHARACTERS = 120

export function isLong(text: string): boolean {
  return text.length > MOST_CHARACTERS || text.split('\n', MOST_LINES + 1).length > MOST_LINES
}

/** What stands above an event: the heading and the line below it. */
export interface Said {
  readonly lead: string
  readonly rest: string
}

/** Whether the heading says the whole message already, so that it need not be said again. */
export function isSaid({ lead, rest }: Said, type: string, message: string): boolean {
  if (message.length > HEADING_CHARACTERS) return false
  return type === '' ? message === (rest === '' ? lead : rest) : type === lead && message === rest
}
